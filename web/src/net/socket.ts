// One table's WebSocket: reconnects by itself with the last event number it knows and resends unconfirmed messages.
import type { FromClient, FromServer } from "../generated/wire";
import type { Exact } from "./exact";
import type { Language } from "../lib/words.svelte";

export type Link = "connecting" | "open" | "lost" | "refused" | "replaced";

interface Wanted {
  table: string;
  watch: boolean;
  allHands: boolean;
  language: () => Language;
  /** The game and the number of events that are known. */
  known: () => { game: number | null; last: number | null };
  receive: (message: FromServer) => void;
  changed: (link: Link, code: number) => void;
}

type Sent = Exclude<FromClient, { type: "hello" }>;
type WithoutId<Message> = Message extends { id: string } ? Omit<Message, "id"> : never;
export type Outgoing = WithoutId<Sent>;

const VERSION = 1;
const FINAL = new Set([4401, 4403, 4404, 4406]);
const REPLACED = 4409;
const WAITS_MS = [300, 700, 1500, 3000, 5000];
// These are resent over a new connection; other messages matter only at the moment they are sent
const LASTING = new Set(["act", "ready", "abort", "rematch"]);

export class TableSocket {
  private socket: WebSocket | null = null;
  private tries = 0;
  private timer: number | undefined;
  private closed = false;
  private count = 0;
  private readonly run = Math.random().toString(36).slice(2, 8);
  private readonly unconfirmed = new Map<string, Sent>();

  constructor(private readonly wanted: Wanted) {
    this.open();
  }

  /** Send a message and return its id, which the answer carries. */
  send<Given extends Outgoing>(message: Given & Exact<Given, Outgoing>): string {
    const id = `${this.run}-${this.count++}`;
    const whole = { ...(message as Outgoing), id } as Sent;
    if (LASTING.has(whole.type)) this.unconfirmed.set(id, whole);
    this.write(whole);
    return id;
  }

  close(): void {
    this.closed = true;
    window.clearTimeout(this.timer);
    this.socket?.close(1000);
  }

  private write(message: FromClient): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private open(): void {
    this.wanted.changed("connecting", 0);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws/tables/${encodeURIComponent(this.wanted.table)}`);
    this.socket = socket;
    socket.addEventListener("open", () => this.hello());
    socket.addEventListener("message", (event) => this.receive(String(event.data)));
    socket.addEventListener("close", (event) => this.lost(event.code));
  }

  private hello(): void {
    const { game, last } = this.wanted.known();
    const { watch, allHands, language } = this.wanted;
    this.write({ type: "hello", version: VERSION, game, last, watch, all_hands: allHands, language: language() });
  }

  private receive(text: string): void {
    const message = JSON.parse(text) as FromServer;
    if (message.type === "welcome") {
      this.tries = 0;
      this.wanted.changed("open", 0);
      this.unconfirmed.forEach((waiting) => this.write(waiting));
    }
    if ((message.type === "ack" || message.type === "error") && message.id) this.unconfirmed.delete(message.id);
    this.wanted.receive(message);
  }

  private lost(code: number): void {
    if (this.closed) return;
    if (FINAL.has(code) || code === REPLACED) {
      this.wanted.changed(code === REPLACED ? "replaced" : "refused", code);
      return;
    }
    this.wanted.changed("lost", code);
    const wait = WAITS_MS[Math.min(this.tries++, WAITS_MS.length - 1)] ?? 5000;
    this.timer = window.setTimeout(() => this.open(), wait);
  }
}
