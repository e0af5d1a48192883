// Information about a table from one person's point of view.
import type { Key } from "$generated/keys";
import type { SeatInfo, TableInfo } from "$generated/wire";

/** The other people at the table, including those who may return to their seat. */
export function othersAt(
  table: Pick<TableInfo, "seats">,
  me: string | undefined,
): { info: SeatInfo; person: string; name: string }[] {
  return table.seats.flatMap((info) =>
    info?.person && !info.bot && info.person !== me ? [{ info, person: info.person, name: info.name }] : [],
  );
}

/** The text key of what the table is waiting for; null if the button explains itself. */
export function waitsFor(
  { owner, seats, options }: Pick<TableInfo, "owner" | "seats" | "options">,
  me: string | null,
): Key | null {
  const full = seats.every((seat) => seat !== null);
  const several = seats.filter((seat) => seat?.person).length > 1;
  if (me !== null && me === owner) return full ? (several ? "room.all_ready" : "room.you_start") : null;
  if (seats.some((seat) => seat !== null && seat.person === me))
    return full ? (several ? "room.all_ready" : "room.full") : "room.host_starts";
  if (!full) return "room.sit_down";
  return options.spectators ? "room.full_watch" : "room.full_closed";
}

/** Whether to request hints: the table must allow them and be unrated, and the player must want them. */
export function hintsAllowed(
  table: { options: Pick<TableInfo["options"], "hints" | "rated"> } | null,
  wanted: boolean,
): boolean {
  return wanted && table !== null && table.options.hints && !table.options.rated;
}
