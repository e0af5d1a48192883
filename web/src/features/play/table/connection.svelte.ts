// An open table: its state, updated over the socket, and the messages sent to it.
import { learnYaku } from "$domain/ownYakuNames.svelte";
import type { ErrorMessage, FromServer, Hints, Said } from "$generated/wire";
import { language } from "$domain/words.svelte";
import { readStored, writeStored } from "$data/deviceStorage";
import { TableSocket, type Link, type Outgoing } from "$data/tableSocket";
import { offerUpdate, warn } from "$data/notices.svelte";
import type { Action } from "$domain/game/choices";
import { type GameEvent, reduce } from "$domain/game/reducer";
import type { Saying } from "$domain/game/saying";
import { NOTHING, type Automatic, type TableState } from "$domain/game/tableState";

const SAYING_MS = 6000;
const MAX_SAYINGS = 3;

// People muted on this device. The server withholds their messages; the list is sent to every table.
const MUTED = "jantaku.muted";
const MAX_MUTED = 100;
const stored = readStored(MUTED);
let people = $state.raw<readonly string[]>(
  Array.isArray(stored) ? stored.filter((person) => typeof person === "string").slice(-MAX_MUTED) : [],
);

export function muted(person: string): boolean {
  return people.includes(person);
}

export function setMuted(person: string, on: boolean): void {
  people = [...people.filter((other) => other !== person), ...(on ? [person] : [])].slice(-MAX_MUTED);
  writeStored(MUTED, people);
}

/** The connection of a play screen: to an open table, or to a lesson without one. */
export type GameConnection = Pick<
  TableConnection,
  "state" | "link" | "hints" | "answered" | "act" | "foul" | "wish" | "send"
>;

export class TableConnection {
  state = $state.raw<TableState>(NOTHING);
  link = $state<Link>("connecting");
  /** The close code if the table cannot be opened. */
  refusal = $state(0);
  hints = $state.raw<Hints | null>(null);
  /** The id of the answered request, until the server confirms. */
  answered = $state<number | null>(null);
  private readonly socket: TableSocket;
  onEvents: (events: readonly GameEvent[], state: TableState) => void = () => undefined;
  onFriendRequest: () => void = () => undefined;
  sayings = $state.raw<readonly Saying[]>([]);
  private sayingCount = 0;
  private cut = false;
  private readonly quiet = new Set<string>();
  private readonly mutedSent = new Set<string>();

  constructor(table: string, watch: boolean, allHands: boolean) {
    this.socket = new TableSocket({
      table,
      watch,
      allHands,
      language,
      known: () => ({ game: this.state.game, last: this.state.seq }),
      receive: (message) => this.receive(message),
      changed: (link, code) => {
        this.link = link;
        this.refusal = code;
        if (link === "open" && this.cut) void offerUpdate(); // a restarted server may have a newer client
        if (link !== "open") this.mutedSent.clear();
        this.cut = link === "lost" || (this.cut && link === "connecting");
      },
    });
  }

  act(action: Action): void {
    const { own, game } = this.state;
    if (own?.ask == null || game === null || this.answered === own.ask) return;
    this.answered = own.ask;
    this.socket.send({ type: "act", game, ask: own.ask, action });
  }

  /** Commit a foul, which is possible without a request. */
  foul(action: Action): void {
    const { own, game, seq } = this.state;
    const ask = own?.ask ?? seq;
    if (own && game !== null && ask !== null) this.socket.send({ type: "act", game, ask, action });
  }

  /** Change the automatic answers. */
  wish(changed: Partial<Automatic>): void {
    this.state = reduce(this.state, { message: { type: "automatic", changed }, at: performance.now() });
  }

  send(message: Outgoing): void {
    const id = this.socket.send(message);
    if (message.type === "hints" || message.type === "ready") this.quiet.add(id);
  }

  close(): void {
    this.socket.close();
  }

  private receive(message: FromServer): void {
    switch (message.type) {
      case "welcome":
      case "table":
      case "pause":
        this.state = reduce(this.state, { message, at: performance.now() });
        learnYaku(this.state.table?.rules.own_yaku);
        if (message.type !== "pause") this.repeatMuted();
        break;
      case "said":
        this.hear(message);
        break;
      case "asked":
        this.onFriendRequest();
        break;
      case "sync":
      case "update":
        this.happened(message);
        break;
      case "hints":
        this.hints = message;
        break;
      case "reason":
        warn(message.text);
        break;
      case "error":
        this.error(message);
        break;
      case "ack":
      case "pong":
        break;
      default:
        message satisfies never;
    }
  }

  private hear({ seat, stamp, text }: Said): void {
    const id = this.sayingCount++;
    const info = this.state.table?.seats[seat];
    const name = info?.name ?? ""; // copied, because seats may be drawn or swapped later
    this.sayings = [
      ...this.sayings,
      { id, seat, name, seed: info?.person ?? name, stamp: stamp ?? null, text: text ?? null },
    ].slice(-MAX_SAYINGS);
    window.setTimeout(() => (this.sayings = this.sayings.filter((saying) => saying.id !== id)), SAYING_MS);
  }

  /** Send the muted people to the server again, which forgets them when it unloads the table. */
  private repeatMuted(): void {
    const { table, seat } = this.state;
    if (seat === null) return;
    for (const info of table?.seats ?? []) {
      if (!info?.person || info.bot || !muted(info.person) || this.mutedSent.has(info.person)) continue;
      this.mutedSent.add(info.person);
      this.send({ type: "mute", person: info.person, on: true });
    }
  }

  private happened(message: Extract<FromServer, { type: "sync" | "update" }>): void {
    const before = this.state;
    this.state = reduce(before, { message, at: performance.now() });
    if (this.state === before) return;
    if (before.own?.ask !== this.state.own?.ask) {
      this.hints = null;
      this.answered = null;
    }
    const newCount = message.type === "update" && before.seq !== null ? message.seq - before.seq : 0;
    if (newCount > 0) this.onEvents(message.events.slice(-newCount), this.state);
  }

  private error(message: ErrorMessage): void {
    if (message.code !== "late" && !(message.id && this.quiet.delete(message.id))) warn(message.message);
    this.answered = null;
  }
}
