// Whom this device does not want to hear at tables. The server withholds what they say; this list is repeated to it.
const KEY = "jantaku.muted";
const MOST = 100;

function stored(): string[] {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(parsed) ? parsed.filter((person) => typeof person === "string").slice(-MOST) : [];
  } catch {
    return [];
  }
}

let people = $state.raw<readonly string[]>(stored());

export function muted(person: string): boolean {
  return people.includes(person);
}

export function setMuted(person: string, on: boolean): void {
  people = [...people.filter((other) => other !== person), ...(on ? [person] : [])].slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(people));
  } catch {
    // a browser that stores nothing forgets it with the page
  }
}
