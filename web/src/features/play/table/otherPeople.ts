// Who else is at a table: people, not bots.
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
