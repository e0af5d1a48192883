// Passkeys (WebAuthn), in the JSON format of the server.

/** Whether this page can use passkeys; they require a domain name, not an IP address. */
export function possible(): boolean {
  return (
    window.isSecureContext &&
    "PublicKeyCredential" in window &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential &&
    !/^[\d.]+$|:/.test(location.hostname)
  );
}

/** The credential as JSON; null if the user cancelled. */
async function credentialJson(request: Promise<Credential | null>): Promise<string | null> {
  const credential = await request.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "NotAllowedError") return null;
    throw error;
  });
  return credential instanceof PublicKeyCredential ? JSON.stringify(credential) : null;
}

export function makePasskey(options: string): Promise<string | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON,
  );
  return credentialJson(navigator.credentials.create({ publicKey }));
}

export function usePasskey(options: string): Promise<string | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON,
  );
  return credentialJson(navigator.credentials.get({ publicKey }));
}
