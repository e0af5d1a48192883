// Passkeys of this browser (WebAuthn), in the JSON that the server reads and writes.

/** Whether this page may use passkeys: they belong to a name, never to an address. */
export function possible(): boolean {
  return (
    window.isSecureContext &&
    "PublicKeyCredential" in window &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential &&
    !/^[\d.]+$|:/.test(location.hostname)
  );
}

/** The device's answer for the server; null if the user cancelled. */
async function answered(asking: Promise<Credential | null>): Promise<string | null> {
  const credential = await asking.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "NotAllowedError") return null;
    throw error;
  });
  return credential instanceof PublicKeyCredential ? JSON.stringify(credential) : null;
}

export function makePasskey(options: string): Promise<string | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON,
  );
  return answered(navigator.credentials.create({ publicKey }));
}

export function usePasskey(options: string): Promise<string | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON,
  );
  return answered(navigator.credentials.get({ publicKey }));
}
