const MINUS = /^\s*[-−–▲△]/;

/** A typed number with the other sign; from an empty field a minus, so that one can type on. */
export function negated(text: string): string {
  return MINUS.test(text) ? text.replace(MINUS, "") : `-${text.trimStart()}`;
}
