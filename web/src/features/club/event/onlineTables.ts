import type { EventInfo, StagePlan, TableInfo } from "$generated/wire";

/** What a table is to a reader: theirs, one with a free seat, or one to watch. */
export function standingOf(
  { seats, status }: Pick<TableInfo, "seats" | "status">,
  me: string | null,
): "mine" | "free" | "watch" {
  if (me !== null && seats.some((seat) => seat?.person === me)) return "mine";
  return status === "waiting" && seats.includes(null) ? "free" : "watch";
}

/** The stages for which a reader may open a table now: open ones of an event in which they play. */
export function mayOpen(
  event: Pick<EventInfo, "status" | "entry" | "role" | "stages" | "online_tables">,
  now: number,
): StagePlan[] {
  const { status, entry, role, stages, online_tables } = event;
  if (status !== "open" || (role === null && (entry?.status !== "playing" || !online_tables))) return [];
  return stages.filter(
    ({ kind, opens, closes }) =>
      kind !== "rounds" && !(opens && now < Date.parse(opens)) && !(closes && Date.parse(closes) <= now),
  );
}
