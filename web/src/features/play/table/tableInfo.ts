// What the information about a table says to one of its people.
import type { Key } from "$generated/keys";
import type { SeatInfo, TableInfo } from "$generated/wire";

export interface Other {
  seat: number;
  info: SeatInfo;
  person: string;
}

/** The other people who sit here, or may come back to their seat. */
export function othersAt(table: Pick<TableInfo, "seats">, me: string | undefined): Other[] {
  return table.seats.flatMap((info, seat) => {
    return info?.person && !info.bot && info.person !== me ? [{ seat, info, person: info.person }] : [];
  });
}

type Beginning = Pick<TableInfo, "owner" | "seats" | "options">;

/** The key of the sentence that says who has to do what; null if the button is enough. */
export function waitsFor({ owner, seats, options }: Beginning, me: string | null): Key | null {
  const full = seats.every((seat) => seat !== null);
  const several = seats.filter((seat) => seat?.person).length > 1;
  if (me !== null && me === owner) return full ? (several ? "room.all_ready" : "room.you_start") : null;
  if (seats.some((seat) => seat !== null && seat.person === me))
    return full ? (several ? "room.all_ready" : "room.full") : "room.host_starts";
  if (!full) return "room.sit_down";
  return options.spectators ? "room.full_watch" : "room.full_closed";
}

type Asked = { options: Pick<TableInfo["options"], "hints" | "rated"> };

/** Whether to ask for hints: rated tables have none, a table may forbid them, and a player may not want them. */
export function hintsAllowed(table: Asked | null, wanted: boolean): boolean {
  return wanted && table !== null && table.options.hints && !table.options.rated;
}
