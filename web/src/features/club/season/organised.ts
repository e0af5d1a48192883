// The events that I organise, of which a season can be made.
import type { EventSummary } from "$generated/wire";
import { send } from "$data/requests";

export async function organisedEvents(): Promise<EventSummary[]> {
  return (await send("GET /api/events", { query: {} })).mine.filter(({ role }) => role === "organiser");
}
