import type { Me, Person } from "$generated/wire";
import { send } from "./requests";
import { notify } from "./notices.svelte";
import { language, t } from "$domain/words.svelte";

const NUMBERED = / \d+$/; // the server numbers names that are taken
const SIGNED_IN_KEY = "jantaku.met"; // set while an account is signed in on this device
const current = $state<{ person: Person | null; known: boolean }>({ person: null, known: false });
let offered = $state.raw<Pick<Me, "mail" | "oidc">>({ mail: false, oidc: "" });

export function person(): Person | null {
  return current.person;
}

/** Whether the visitor is signed out; before the server has answered, a guess from the last visit. */
export function signedOut(): boolean {
  return current.known ? current.person === null : localStorage.getItem(SIGNED_IN_KEY) === null;
}

export async function loadPerson(): Promise<Person | null> {
  if (current.known) return current.person;
  const answer = await send("GET /api/me", {});
  offered = answer;
  const me = answer.person;
  if (!current.known) setPerson(me); // a sign-in during the request is newer than the answer
  return current.person;
}

/** Other ways to sign in: whether the server sends mail, and the OpenID provider's name. */
export function offers(): typeof offered {
  return offered;
}

/** Redirect to the OpenID provider; a guest's games move to the account that signs in there. */
export async function goToProvider(): Promise<void> {
  location.href = (await send("POST /api/oidc", { body: { link: false, password: null } })).url;
}

export function setPerson(next: Person | null): void {
  current.person = next;
  current.known = true;
  if (next) localStorage.setItem(SIGNED_IN_KEY, "1");
  else localStorage.removeItem(SIGNED_IN_KEY);
}

/** Enter as a guest. Without a name, use the default one and do not mention its number. */
export async function enter(name: string): Promise<Person> {
  const body = { name: name || t("guest.usual"), language: language() };
  const guest = await send("POST /api/guest", { body });
  if (name) setNamed(guest, name);
  else setPerson(guest);
  return guest;
}

/** Set the person, and notify them if the server added a number to the name they wanted. */
function setNamed(next: Person, wanted: string): void {
  setPerson(next);
  if (NUMBERED.test(next.name) && !NUMBERED.test(wanted))
    notify(t("account.numbered", { name: wanted, shown: next.name }));
}

export async function rename(name: string): Promise<void> {
  setNamed(await send("PATCH /api/me", { body: { name } }), name);
}
