// Short messages at the edge of the screen: what was refused and why.
interface Notice {
  id: number;
  text: string;
}

export const notices = $state<Notice[]>([]);
let count = 0;
const SHOWN_MS = 6000;

export function notify(text: string): void {
  const id = count++;
  notices.push({ id, text });
  window.setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  const at = notices.findIndex((notice) => notice.id === id);
  if (at >= 0) notices.splice(at, 1);
}

/** Say what went wrong; the error that is passed on is never lost silently. */
export function complain(error: unknown): void {
  notify(error instanceof Error ? error.message : String(error));
}
