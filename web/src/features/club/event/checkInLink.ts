// The check-in code of an event in the link of its QR code.

/** The code in what a QR code says; empty if it belongs to another event or is no link. */
export function codeIn(text: string, event: string): string {
  try {
    const { pathname, searchParams } = new URL(text);
    return pathname.split("/").includes(event) ? (searchParams.get("code") ?? "").trim() : "";
  } catch {
    return "";
  }
}
