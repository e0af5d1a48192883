// Short messages at the edge of the screen: what was refused and why.
import { outdated } from "./serverReach.svelte";
import { t } from "$domain/words.svelte";

interface Notice {
  id: number;
  text: string;
  /** Something went wrong: read out at once. */
  alarm?: boolean;
  /** An action the reader can take; such a notice stays until it is closed. */
  offer?: Offer;
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
  say(text, offer, false);
}

/** Say what went wrong. */
export function warn(text: string): void {
  say(text, undefined, true);
}

function say(text: string, offer: Offer | undefined, alarm: boolean): void {
  if (offer && notices.some((notice) => notice.text === text)) return;
  if (!offer) makeRoom(text);
  const id = count++;
  notices.push({ id, text, offer, alarm });
  if (!offer) window.setTimeout(() => dismiss(id), Math.max(SHOWN_MS, text.length * LETTER_MS));
}

/** What is said again is shown once, and only so many of what passes by itself. */
function makeRoom(text: string): void {
  const passing = notices.filter((notice) => !notice.offer && !notice.offline);
  const kept = passing.filter((notice) => notice.text !== text).slice(1 - MOST_PASSING);
  for (const notice of passing) if (!kept.includes(notice)) dismiss(notice.id);
}

export function dismiss(id: number): void {
  const at = notices.findIndex((notice) => notice.id === id);
  if (at >= 0) notices.splice(at, 1);
}

/** Show what went wrong; that the server cannot be reached stays until it can. */
export function showError(error: unknown): void {
  if (error instanceof Error && "code" in error && error.code === "offline") {
    if (!notices.some((notice) => notice.offline))
      notices.push({ id: count++, text: error.message, offline: true, alarm: true });
    return;
  }
  warn(error instanceof Error ? error.message : String(error));
}

/** Offer to load the newer client that the server has, if it has one. */
export async function offerNewest(): Promise<void> {
  if (await outdated()) notify(t("version.new"), { label: t("version.load"), act: () => location.reload() });
}
