// Ids made by the client, so that a resent request takes effect only once.

/** Return 24 random hexadecimal digits. `crypto.randomUUID` does not exist on plain http. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
