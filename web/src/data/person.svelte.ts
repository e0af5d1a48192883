import type { Me, Person } from "$generated/wire";
import { send } from "./requests";
import { notify } from "./notices.svelte";
import { language, t } from "$domain/words.svelte";

const NUMBERED = / \d+$/; // a name that somebody has had before gets a number
const MET = "jantaku.met"; // somebody was signed in on this device
const who = $state<{ person: Person | null; known: boolean }>({ person: null, known: false });
let offered = $state.raw<Pick<Me, "mail" | "oidc">>({ mail: false, oidc: "" });

export function person(): Person | null {
  return who.person;
}

/** Whether to treat the visitor as not signed in before the server has answered. */
export function stranger(): boolean {
  return who.known ? who.person === null : localStorage.getItem(MET) === null;
}

export async function loadPerson(): Promise<Person | null> {
  if (who.known) return who.person;
  const answer = await send("GET /api/me", {});
  offered = answer;
  const me = answer.person;
  if (!who.known) setPerson(me); // whoever has signed in meanwhile is not in this answer
  return who.person;
}

/** How else one can sign in here: whether mail is sent, and the name of the OpenID provider. */
export function offers(): typeof offered {
  return offered;
}

/** Go to the OpenID provider; a guest's games move to the account there. */
export async function toProvider(): Promise<void> {
  location.href = (await send("POST /api/oidc", { body: { link: false, password: null } })).url;
}

export function setPerson(next: Person | null): void {
  who.person = next;
  who.known = true;
  if (next) localStorage.setItem(MET, "1");
  else localStorage.removeItem(MET);
}

/** Enter as a guest; without a name under the usual one, whose number is no news. */
export async function enter(name: string): Promise<Person> {
  const body = { name: name || t("guest.usual"), language: language() };
  const guest = await send("POST /api/guest", { body });
  if (name) named(guest, name);
  else setPerson(guest);
  return guest;
}

/** Sign in or go on under a name, which may have been given a number. */
function named(next: Person, wish: string): void {
  setPerson(next);
  if (NUMBERED.test(next.name) && !NUMBERED.test(wish)) notify(t("account.numbered", { name: wish, shown: next.name }));
}

export async function rename(name: string): Promise<void> {
  named(await send("PATCH /api/me", { body: { name } }), name);
}
