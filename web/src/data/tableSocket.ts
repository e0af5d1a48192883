// A table's WebSocket: reconnects from the last known event and resends unacknowledged messages.
import type { FromClient, FromServer } from "$generated/wire";
import type { Language } from "$domain/words.svelte";
import { ReconnectingSocket, type Link } from "./reconnectingSocket";

export type { Link };

interface Options {
  table: string;
  watch: boolean;
  allHands: boolean;
  language: () => Language;
  known: () => { game: number | null; last: number | null };
  receive: (message: FromServer) => void;
  changed: (link: Link, code: number) => void;
}

type Sent = Exclude<FromClient, { type: "hello" }>;
type WithoutId<Message> = Message extends { id: string } ? Omit<Message, "id"> : never;
export type Outgoing = WithoutId<Sent>;

const VERSION = 1;
const OVERDUE_MS = 6000; // the server acknowledges at once; after this time the connection is considered dead
// These are resent over a new connection; other messages are pointless later
const RESENT = new Set(["act", "ready", "abort", "rematch"]);

export class TableSocket {
  private readonly socket: ReconnectingSocket;
  private count = 0;
  private working = false; // whether the server has greeted this connection
  private readonly run = Math.random().toString(36).slice(2, 8);
  private readonly unconfirmed = new Map<string, Sent>();

  constructor(private readonly options: Options) {
    this.socket = new ReconnectingSocket({
      path: `/ws/tables/${encodeURIComponent(options.table)}`,
      opened: () => this.hello(),
      receive: (text) => this.receive(text),
      changed: (link, code) => {
        this.working = link === "open";
        options.changed(link, code);
      },
    });
    this.socket.open();
  }

  /** Send a message and return its id, which the reply repeats. */
  send(message: Outgoing): string {
    const id = `${this.run}-${this.count++}`;
    const complete = { ...message, id };
    if (RESENT.has(complete.type)) {
      this.unconfirmed.set(id, complete);
      window.setTimeout(() => this.unconfirmed.has(id) && this.working && this.socket.renew(), OVERDUE_MS);
    }
    this.write(complete);
    return id;
  }

  close(): void {
    this.socket.close();
  }

  private write(message: FromClient): void {
    this.socket.write(JSON.stringify(message));
  }

  private hello(): void {
    const { game, last } = this.options.known();
    const { watch, allHands, language } = this.options;
    this.write({ type: "hello", version: VERSION, game, last, watch, all_hands: allHands, language: language() });
  }

  private receive(text: string): void {
    const message = JSON.parse(text) as FromServer;
    if (message.type === "welcome") {
      this.socket.markOpen();
      this.unconfirmed.forEach((waiting) => this.write(waiting));
    }
    if ((message.type === "ack" || message.type === "error") && message.id) this.unconfirmed.delete(message.id);
    this.options.receive(message);
  }
}
