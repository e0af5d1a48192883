/** Under which key a tab keeps what it waits for, in case it is loaded again. */
export const WAITS = "jantaku.waits";
