import type { EventInfo, StagePlan, TableInfo } from "$generated/wire";

/** What a user can do at a table: play on (`mine`), join or watch. */
export function tableRole(
  { seats, status }: Pick<TableInfo, "seats" | "status">,
  me: string | null,
): "mine" | "free" | "watch" {
  if (me !== null && seats.some((seat) => seat?.person === me)) return "mine";
  return status === "waiting" && seats.includes(null) ? "free" : "watch";
}

/** Open stages for which the user may open a table now; they must be a player or staff. */
export function openableStages(
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
