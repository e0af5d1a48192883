// Where people play online. A nickname belongs to a site, and so does a log.

/** Names of sites to choose from; others may be typed. */
export const SITES: readonly string[] = ["tenhou", "mahjongsoul", "riichi-city", "jantaku"];

/** A site as the server writes it: small letters, digits and hyphens. */
export function siteOf(typed: string): string {
  return typed
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 16);
}
