// What the pages of an event ask the server.
import type { BetAnswer, BetBody, RecordedSummary } from "../generated/wire";
import { send } from "../net/requests";

const MOST_PAGES = 40;

export const events = {
  list: (before: string | null = null) => send("GET /api/events", { query: { before } }),
  standings: (event: string) => send("GET /api/events/{event}/standings", { path: { event } }),
  entries: (event: string) => send("GET /api/events/{event}/entries", { path: { event } }),
  register: (event: string, name: string, team: string) =>
    send("POST /api/events/{event}/entries", { path: { event }, body: { name, team } }),
  withdraw: (event: string, entry: string) => send("POST /api/events/{event}/entries/{entry}/withdraw", { path: { event, entry } }),
  checkIn: (event: string, code: string) => send("POST /api/events/{event}/entries/check-in", { path: { event }, body: { code } }),
  games: (event: string, query: { stage?: string | null; entry?: string | null; before?: number | null } = {}) =>
    send("GET /api/events/{event}/games", { path: { event }, query }),
  game: (event: string, game: string) => send("GET /api/events/{event}/games/{game}", { path: { event, game } }),
  player: (event: string, entry: string) => send("GET /api/events/{event}/players/{entry}", { path: { event, entry } }),
  statistics: (event: string) => send("GET /api/events/{event}/statistics", { path: { event } }),
  rounds: (event: string) => send("GET /api/events/{event}/rounds", { path: { event } }),
  bets: (event: string) => send("GET /api/events/{event}/bets", { path: { event } }),
  bet: (event: string, body: BetBody) => send("POST /api/events/{event}/bets", { path: { event }, body }),
  answerBet: (event: string, number: number, answer: BetAnswer["answer"]) =>
    send("POST /api/events/{event}/bets/{number}/answer", { path: { event, number }, body: { answer } }),
  penalties: (event: string) => send("GET /api/events/{event}/penalties", { path: { event } }),
};

/** All games of a player, newest first. */
export async function everyGame(event: string, entry: string, stage: string | null = null): Promise<RecordedSummary[]> {
  const found: RecordedSummary[] = [];
  let before: number | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer: Awaited<ReturnType<typeof events.games>> = await events.games(event, { entry, stage, before });
    found.push(...answer.games);
    if (answer.next === null) break;
    before = answer.next;
  }
  return found;
}
