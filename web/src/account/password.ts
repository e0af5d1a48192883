/** How many characters a password has at least; the server refuses less. */
export const LEAST_PASSWORD = 8;
