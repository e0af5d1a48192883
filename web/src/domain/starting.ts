// Starting a game: who sits where, and the game as it stands before its first hand.
import type { EventEntry, EventInfo, PaymentsInfo, RecordedGameInfo, StartRecorded } from "$generated/wire";
import { language } from "./words.svelte";

/** The name of an entry among namesakes; what an older page has kept has none. */
export function calledOf(entry: EventEntry): string {
  return (entry as Partial<EventEntry>).called ?? entry.name;
}

export function shuffled<Value>(values: readonly Value[], random: () => number = fairRandom): Value[] {
  const mixed = [...values];
  for (let i = mixed.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [mixed[i], mixed[other]] = [mixed[other] as Value, mixed[i] as Value];
  }
  return mixed;
}

export function fairRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

/** The game that starts with a body, as the server will show it. */
export function begun(body: StartRecorded, entries: readonly EventEntry[], table: PaymentsInfo): RecordedGameInfo {
  const seats = body.players.map((id) => {
    const entry = entries.find((candidate) => candidate.id === id);
    return {
      entry: id,
      name: entry ? calledOf(entry) : id,
      account: entry?.account ?? false,
      confirmed: false,
      by_me: false,
    };
  });
  const start = {
    number: 0,
    honba: 0,
    deposits: 0,
    scores: seats.map(() => table.start_points),
    final: null,
    places: null,
  };
  const empty = {
    hands: [],
    head: "",
    revision: 0,
    status: "playing" as const,
    at: null,
    one_account: false,
    only_points: false,
    penalties: [],
    replay: null,
  };
  return {
    id: body.id,
    stage: body.stage,
    label: body.label ?? "",
    seats,
    ...start,
    ...empty,
    may_record: true,
    may_decide: false,
  };
}

/** The number of the table whose card led here; empty if none did. */
export function tableOf(query: URLSearchParams): string {
  const table = query.get("table") ?? "";
  return /^\d{1,3}$/.test(table) ? table : "";
}

/** The games with those at a table before the others; the same list if none is there. */
export function atTableFirst<Game extends { label: string }>(table: string, games: readonly Game[]): Game[] {
  const there = games.filter(({ label }) => table !== "" && label === table);
  return [...there, ...games.filter((game) => !there.includes(game))];
}

export function playing(entries: readonly EventEntry[]): EventEntry[] {
  return byName(entries.filter((entry) => entry.status === "playing"));
}

export function byName(entries: readonly EventEntry[]): EventEntry[] {
  return [...entries].sort((one, other) => one.name.localeCompare(other.name, language()));
}

/** The stages in which I may start a game. */
export function stagesOf(info: EventInfo): EventInfo["stages"] {
  return info.stages.filter((stage) => stage.kind !== "rounds" || info.role !== null);
}
