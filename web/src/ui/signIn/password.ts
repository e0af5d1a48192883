/** The minimum length of a password; the server refuses shorter ones. */
export const LEAST_PASSWORD = 8;
