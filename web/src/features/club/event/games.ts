import type { RecordedSummary } from "$generated/wire";
import { send, type Answer } from "$data/requests";

const MAX_PAGES = 40;

export async function loadAllGames(
  event: string,
  filter: { entry?: string; stage?: string; round?: number },
  signal?: AbortSignal,
): Promise<RecordedSummary[]> {
  const games: RecordedSummary[] = [];
  let before: number | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer: Answer<"GET /api/events/{event}/games"> = await send(
      "GET /api/events/{event}/games",
      { path: { event }, query: { ...filter, before } },
      signal,
    );
    games.push(...answer.games);
    if (answer.next === null) break;
    before = answer.next;
  }
  return games;
}

const NATURAL = new Intl.Collator(undefined, { numeric: true });

/** Games in progress, sorted naturally by table label ("Table 2" before "Table 10"); unlabelled games come last. */
export function gamesInProgress(games: readonly RecordedSummary[]): RecordedSummary[] {
  const now = games.filter(({ status }) => status === "playing" || status === "over");
  return now.sort(
    (one, other) =>
      Number(!one.label) - Number(!other.label) || NATURAL.compare(one.label, other.label) || one.number - other.number,
  );
}
