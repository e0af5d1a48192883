// JSON values in localStorage. Private windows may refuse to store them.

/** Return the stored value; null if it is missing or unreadable. */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // storage is refused or full
  }
}
