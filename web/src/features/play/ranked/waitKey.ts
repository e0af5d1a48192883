/** The session storage key for the queues a tab waits in, in case it is reloaded. */
export const WAITS = "jantaku.waits";
