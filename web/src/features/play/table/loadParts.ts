// The parts of a table that are loaded when they are needed.

const AGAIN_MS = 3000; // until what could not be loaded is asked for again

/** What is seen as soon as a game has begun. */
export const loadGame = async (): Promise<typeof import("./Game.svelte").default> =>
  (await import("./Game.svelte")).default;

/** What is seen or heard only after the first discard. */
export const loadLater = (): Promise<typeof import("./later")> => import("./later");

/** Load a part after a while, again and again until it comes; returns what gives up. */
export function loaded<Part>(load: () => Promise<Part>, show: (part: Part) => void, after_ms = 0): () => void {
  const begin = (): void => void load().then(show, () => (timer = window.setTimeout(begin, AGAIN_MS)));
  let timer = window.setTimeout(begin, after_ms);
  return () => window.clearTimeout(timer);
}
