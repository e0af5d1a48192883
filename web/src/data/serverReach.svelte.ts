// Whether the server can be reached, and whether it has a newer client than this page.
const reach = $state({ lost: false, ever: false });

/** Whether the server has never answered since the page was opened. */
export function unreachable(): boolean {
  return reach.lost && !reach.ever;
}

/** Whether the last attempt to reach the server failed. */
export function disconnected(): boolean {
  return reach.lost;
}

export function noteReached(answered: boolean): void {
  reach.lost = !answered;
  reach.ever ||= answered;
}

/** Retry; reload the page if the server answers for the first time. */
export async function tryAgain(): Promise<void> {
  const before = unreachable();
  const answer = await fetch("/api/health", { cache: "no-store" }).catch(() => null);
  if (answer && before) location.reload();
  noteReached(answer !== null);
}

/** Whether the server has a different build of the client than the running one. */
export async function outdated(): Promise<boolean> {
  const running = document.querySelector("script[type=module][src]")?.getAttribute("src");
  const answer = await fetch("/opening.json", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok || !running) return false;
  const { entry } = (await answer.json()) as { entry: string };
  return entry !== running;
}
