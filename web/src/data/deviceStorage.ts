// What this device keeps, as JSON. Private windows may refuse it: it then lasts as long as the page.

/** What was kept; null where there is nothing that can be read. */
export function kept(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // nothing is kept
  }
}
