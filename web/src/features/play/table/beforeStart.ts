// What a table waits for before the game begins, from one person's point of view.
import type { TableInfo } from "$generated/wire";
import type { Key } from "$generated/keys";

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
