// Whom this device does not want to hear at tables. The server withholds what they say; this list is repeated to it.
import { keep, kept } from "$data/deviceStorage";

const KEY = "jantaku.muted";
const MOST = 100;

function stored(): string[] {
  const people = kept(KEY);
  return Array.isArray(people) ? people.filter((person) => typeof person === "string").slice(-MOST) : [];
}

let people = $state.raw<readonly string[]>(stored());

export function muted(person: string): boolean {
  return people.includes(person);
}

export function setMuted(person: string, on: boolean): void {
  people = [...people.filter((other) => other !== person), ...(on ? [person] : [])].slice(-MOST);
  keep(KEY, people);
}
