// Passkeys of this browser (WebAuthn), as the JSON with base64url that the server reads and writes.

interface Options {
  challenge: string;
  user?: { id: string };
  allowCredentials?: { id: string }[];
  excludeCredentials?: { id: string }[];
}

/** Whether this page may use passkeys: they belong to a name, never to an address. */
export function possible(): boolean {
  return window.isSecureContext && "PublicKeyCredential" in window && !/^[\d.]+$|:/.test(location.hostname);
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

export function textOf(data: ArrayBuffer | Uint8Array): string {
  const letters = Array.from(new Uint8Array(data), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The server's options with bytes where the browser wants them. */
function read(text: string): Record<string, unknown> {
  const said = JSON.parse(text) as Options;
  const named = (list: { id: string }[] = []): unknown[] => list.map((item) => ({ ...item, id: bytesOf(item.id) }));
  const user = said.user && { ...said.user, id: bytesOf(said.user.id) };
  return {
    ...said,
    challenge: bytesOf(said.challenge),
    ...(user && { user }),
    allowCredentials: named(said.allowCredentials),
    excludeCredentials: named(said.excludeCredentials),
  };
}

/** What the device answered, for the server; null if its owner has thought better of it. */
async function answered(asking: Promise<Credential | null>): Promise<string | null> {
  const credential = await asking.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "NotAllowedError") return null;
    throw error;
  });
  if (!(credential instanceof PublicKeyCredential)) return null;
  const { response } = credential;
  const parts: Record<string, string | null> = { clientDataJSON: textOf(response.clientDataJSON) };
  if (response instanceof AuthenticatorAttestationResponse)
    parts["attestationObject"] = textOf(response.attestationObject);
  if (response instanceof AuthenticatorAssertionResponse) {
    parts["authenticatorData"] = textOf(response.authenticatorData);
    parts["signature"] = textOf(response.signature);
    parts["userHandle"] = response.userHandle && textOf(response.userHandle);
  }
  return JSON.stringify({ id: credential.id, rawId: textOf(credential.rawId), type: credential.type, response: parts });
}

export function makePasskey(options: string): Promise<string | null> {
  return answered(
    navigator.credentials.create({ publicKey: read(options) as unknown as PublicKeyCredentialCreationOptions }),
  );
}

export function usePasskey(options: string): Promise<string | null> {
  return answered(
    navigator.credentials.get({ publicKey: read(options) as unknown as PublicKeyCredentialRequestOptions }),
  );
}
