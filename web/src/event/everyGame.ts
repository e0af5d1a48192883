// All games of a player, page by page.
import type { RecordedSummary } from "../generated/wire";
import { send, type Answer } from "../net/requests";

const MOST_PAGES = 40;

/** All games of a player, newest first. */
export async function everyGame(event: string, entry: string, stage: string | null = null): Promise<RecordedSummary[]> {
  const games: RecordedSummary[] = [];
  let before: number | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer: Answer<"GET /api/events/{event}/games"> = await send("GET /api/events/{event}/games", { path: { event }, query: { entry, stage, before } });
    games.push(...answer.games);
    if (answer.next === null) break;
    before = answer.next;
  }
  return games;
}
