// All games of a player or a round, page by page.
import type { RecordedSummary } from "$generated/wire";
import { send, type Answer } from "$data/requests";

const MOST_PAGES = 40;

/** All games that are wanted of an event, newest first. */
export async function everyGame(
  event: string,
  wanted: { entry?: string; stage?: string; round?: number },
): Promise<RecordedSummary[]> {
  const games: RecordedSummary[] = [];
  let before: number | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer: Answer<"GET /api/events/{event}/games"> = await send("GET /api/events/{event}/games", {
      path: { event },
      query: { ...wanted, before },
    });
    games.push(...answer.games);
    if (answer.next === null) break;
    before = answer.next;
  }
  return games;
}
