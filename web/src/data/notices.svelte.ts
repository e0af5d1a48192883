// Short messages at the edge of the screen: what was refused and why.
import { outdated } from "./serverReach.svelte";
import { t } from "$domain/words.svelte";

interface Notice {
  id: number;
  text: string;
  /** Something went wrong: read out at once. */
  alarm?: boolean;
  /** An action the reader can take; such a notice stays until it is closed. */
  offer?: Offer | undefined;
  /** It says that the server cannot be reached, and stays until it can. */
  offline?: boolean;
}

interface Offer {
  label: string;
  act: () => void;
}

export const notices = $state<Notice[]>([]);
let count = 0;
const SHOWN_MS = 6000;
const LETTER_MS = 80; // a long text stays for as long as it takes to read
const MOST_PASSING = 2; // more would cover the buttons at the edge of a phone

/** Say what has happened, politely. */
export function notify(text: string, offer?: Offer): void {
  say({ text, offer });
}

/** Say what went wrong. */
export function warn(text: string): void {
  say({ text, alarm: true });
}

/** A notice that stays is shown once; of the others only the latest few remain. */
function say(notice: Omit<Notice, "id">): void {
  const stays = (one: Omit<Notice, "id">): boolean => Boolean(one.offer ?? one.offline);
  const again = notices.filter(({ text }) => text === notice.text);
  if (stays(notice) && again.length) return;
  const id = count++;
  if (!stays(notice)) {
    const passing = notices.filter((one) => !stays(one));
    const kept = passing.filter((one) => !again.includes(one)).slice(1 - MOST_PASSING);
    for (const one of passing) if (!kept.includes(one)) dismiss(one.id);
    window.setTimeout(() => dismiss(id), Math.max(SHOWN_MS, notice.text.length * LETTER_MS));
  }
  notices.push({ ...notice, id });
}

export function dismiss(id: number): void {
  const at = notices.findIndex((notice) => notice.id === id);
  if (at >= 0) notices.splice(at, 1);
}

/** Show what went wrong; that the server cannot be reached stays until it can. */
export function showError(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  say({ text, alarm: true, offline: error instanceof Error && "code" in error && error.code === "offline" });
}

/** Offer to load the newer client that the server has, if it has one. */
export async function offerNewest(): Promise<void> {
  if (await outdated()) notify(t("version.new"), { label: t("version.load"), act: () => location.reload() });
}
