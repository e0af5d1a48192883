// Whether the server can be reached, and whether it has a newer client than this page.
const reach = $state({ lost: false, ever: false });

/** Whether nothing has come from the server since the page was opened, so there is nothing to show. */
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

/** Try again; reload the page's content if the server answers and there was nothing to show. */
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
