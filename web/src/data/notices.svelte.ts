// Short messages at the edge of the screen, such as errors.
import { outdated } from "./serverReach.svelte";
import { t } from "$domain/words.svelte";

interface Notice {
  id: number;
  text: string;
  /** An error, which screen readers announce at once. */
  alarm?: boolean;
  /** An action to offer; such a notice stays until it is dismissed. */
  offer?: Offer | undefined;
  /** The server cannot be reached; the notice stays until it can. */
  offline?: boolean;
}

interface Offer {
  label: string;
  act: () => void;
}

export const notices = $state<Notice[]>([]);
let count = 0;
const SHOWN_MS = 6000;
const LETTER_MS = 80; // reading time of a long text
const MAX_PASSING = 2; // more would cover buttons on a phone

/** Show a notice without interrupting screen readers. */
export function notify(text: string, offer?: Offer): void {
  add({ text, offer });
}

/** Show a warning, which screen readers announce at once. */
export function warn(text: string): void {
  add({ text, alarm: true });
}

/** Add a notice. A lasting one is never repeated; of the passing ones only the newest few remain. */
function add(notice: Omit<Notice, "id">): void {
  const stays = (one: Omit<Notice, "id">): boolean => Boolean(one.offer ?? one.offline);
  const again = notices.filter(({ text }) => text === notice.text);
  if (stays(notice) && again.length) return;
  const id = count++;
  if (!stays(notice)) {
    const passing = notices.filter((one) => !stays(one));
    const remaining = passing.filter((one) => !again.includes(one)).slice(1 - MAX_PASSING);
    for (const one of passing) if (!remaining.includes(one)) dismiss(one.id);
    window.setTimeout(() => dismiss(id), Math.max(SHOWN_MS, notice.text.length * LETTER_MS));
  }
  notices.push({ ...notice, id });
}

export function dismiss(id: number): void {
  const at = notices.findIndex((notice) => notice.id === id);
  if (at >= 0) notices.splice(at, 1);
}

/** Show an error; one about an unreachable server stays until it can be reached. */
export function showError(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  add({ text, alarm: true, offline: error instanceof Error && "code" in error && error.code === "offline" });
}

/** Offer to reload if the server has a newer client. */
export async function offerUpdate(): Promise<void> {
  if (await outdated()) notify(t("version.new"), { label: t("version.load"), act: () => location.reload() });
}
