// Who is signed in.
import type { Person } from "../generated/wire";
import { api } from "../net/api";
import { language } from "./words.svelte";

const who = $state<{ person: Person | null; known: boolean }>({ person: null, known: false });

export function person(): Person | null {
  return who.person;
}

export async function meet(): Promise<Person | null> {
  if (!who.known) become((await api.me()).person);
  return who.person;
}

export function become(found: Person | null): void {
  who.person = found;
  who.known = true;
}

/** Come in as a guest. */
export async function enter(name: string): Promise<Person> {
  const found = await api.guest(name, language());
  become(found);
  return found;
}
