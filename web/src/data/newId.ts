// Ids that the client makes, so that a request can be sent again without counting twice.

/** A new id: 24 hexadecimal digits. It works on plain http, where `crypto.randomUUID` does not exist. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
