// Online mahjong sites. Every nickname and every log belongs to one.

/** Suggested sites; any other may be typed. */
export const SITES: readonly string[] = ["tenhou", "mahjongsoul", "riichi-city", "jantaku"];

/** Normalise a site name as the server does: lower-case letters, digits and hyphens. */
export function siteOf(typed: string): string {
  return typed
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 16);
}
