// Starting a recorded game: the seating, and the game before its first hand.
import type { EventEntry, PaymentsInfo, RecordedGameInfo, StartRecorded } from "$generated/wire";
import { language } from "./words.svelte";

export function shuffled<Value>(values: readonly Value[], random: () => number = fairRandom): Value[] {
  const mixed = [...values];
  for (let i = mixed.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [mixed[i], mixed[other]] = [mixed[other] as Value, mixed[i] as Value];
  }
  return mixed;
}

function fairRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

/** The game that a start request will create, in the server's format. */
export function begun(
  { id, stage, label, players }: StartRecorded,
  entries: readonly EventEntry[],
  table: PaymentsInfo,
): RecordedGameInfo {
  const seats = players.map((player) => {
    const entry = entries.find((candidate) => candidate.id === player);
    const [name, account] = [entry?.called ?? player, entry?.account ?? false];
    return { entry: player, name, account, confirmed: false, by_me: false };
  });
  return {
    id,
    stage,
    label: label ?? "",
    seats,
    number: 0,
    honba: 0,
    deposits: 0,
    scores: seats.map(() => table.start_points),
    final: null,
    places: null,
    hands: [],
    head: "",
    revision: 0,
    status: "playing",
    at: null,
    one_account: false,
    only_points: false,
    penalties: [],
    replay: null,
    may_record: true,
    may_decide: false,
  };
}

/** The table number in the link of a table card; empty without one. */
export function tableOf(query: URLSearchParams): string {
  const table = query.get("table") ?? "";
  return /^\d{1,3}$/.test(table) ? table : "";
}

export function playing(entries: readonly EventEntry[]): EventEntry[] {
  return byName(entries.filter((entry) => entry.status === "playing"));
}

export function byName(entries: readonly EventEntry[]): EventEntry[] {
  return [...entries].sort((one, other) => one.name.localeCompare(other.name, language()));
}
