// The legal actions, grouped for the buttons and the hand. The server decides what is legal.
import type { ActMessage, Own } from "$generated/wire";
import { isRed, kindOf, plain, sorted, tilesOf, type Tile } from "../tiles/notation";
import type { Automatic } from "./tableState";

export type Action = ActMessage["action"];
export type Discard = Extract<Action, { type: "discard" }>;
export type RiichiKind = "riichi" | "open";

export interface Way {
  action: Action;
  tiles: Tile[];
}

export type CallName = "chi" | "pon" | "kan";

export interface Choices {
  discards: Discard[];
  riichi: Record<RiichiKind, Discard[]>;
  calls: Record<CallName, Way[]>;
  win: Action | null;
  kita: Action | null;
  nineTerminals: Action | null;
  pass: Action | null;
  /** The choice of a leading dealer after the last hand: end the game or play on. */
  ends: Ending[];
}

export type Ending = Extract<Action, { type: "end_game" | "play_on" }>;

/** What a player sees of a choice; `ask` is null without one. */
type Choosing = Pick<Own, "hand" | "drawn" | "offered" | "ask" | "legal">;

function ponTiles(own: Choosing, red: number): Tile[] {
  const kind = kindOf(own.offered?.tile ?? "1m");
  const alike = tilesOf(own.hand).filter((tile) => kindOf(tile) === kind);
  const reds = alike.filter(isRed).slice(0, red);
  return [...reds, ...alike.filter((tile) => !isRed(tile))].slice(0, 2);
}

function kanTiles(own: Choosing, action: Extract<Action, { type: "kan" }>): Tile[] {
  if (action.kind === "kakan") return [action.tile];
  const kind = kindOf(action.tile);
  const copies = [...tilesOf(own.hand), ...(own.drawn ? [own.drawn] : [])].filter((tile) => kindOf(tile) === kind);
  return copies.length > 2 ? sorted(copies) : [plain(kind), plain(kind), plain(kind)];
}

export function choicesOf(own: Choosing | null): Choices {
  const choices: Choices = {
    discards: [],
    riichi: { riichi: [], open: [] },
    calls: { chi: [], pon: [], kan: [] },
    win: null,
    kita: null,
    nineTerminals: null,
    pass: null,
    ends: [],
  };
  if (!own || own.ask === null) return choices;
  for (const action of own.legal) {
    switch (action.type) {
      case "discard":
        if (action.riichi) choices.riichi[action.riichi].push(action);
        else choices.discards.push(action);
        break;
      case "chi":
        choices.calls.chi.push({ action, tiles: tilesOf(action.tiles) });
        break;
      case "pon":
        choices.calls.pon.push({ action, tiles: ponTiles(own, action.red ?? 0) });
        break;
      case "kan":
        choices.calls.kan.push({ action, tiles: kanTiles(own, action) });
        break;
      case "tsumo":
      case "ron":
        choices.win = action;
        break;
      case "kita":
        choices.kita = action;
        break;
      case "nine_terminals":
        choices.nineTerminals = action;
        break;
      case "pass":
        choices.pass = action;
        break;
      case "end_game":
      case "play_on":
        choices.ends.push(action);
        break;
      case "foul": // in `own.fouls`, never among legal actions
        break;
      default:
        action satisfies never;
    }
  }
  return choices;
}

export function discardOf(possible: readonly Discard[], tile: Tile, drawn: boolean): Discard | null {
  return possible.find((discard) => discard.tile === tile && (discard.drawn ?? false) === drawn) ?? null;
}

/** The automatic answer; null if the player must decide. */
export function automatic(own: Own | null, wanted: Automatic): Action | null {
  const choices = choicesOf(own);
  if (choices.win) return wanted.win ? choices.win : null;
  if (choices.pass) return wanted.noCalls ? choices.pass : null;
  // Setting a north aside may forfeit the abortive draw of nine orphans
  if (wanted.kita && choices.kita && !choices.nineTerminals) return choices.kita;
  const others = choices.nineTerminals !== null || choices.kita !== null || choices.calls.kan.length > 0;
  if (choices.ends.length) return null;
  const only = own?.legal.length === 1 ? (choices.discards[0] ?? null) : null; // in riichi it may be the only legal action
  if (only) return only;
  const riichi = choices.riichi.riichi.length + choices.riichi.open.length > 0;
  const drawn = choices.discards.find((discard) => discard.drawn) ?? null;
  return wanted.discard && !others && !riichi ? drawn : null;
}

/** The danger of a discard by its average cost in points: 0 (not worth showing) to 3. */
export function riskOf(points: number | null): 0 | 1 | 2 | 3 {
  if (points === null || points < 300) return 0;
  if (points < 700) return 1;
  return points < 1500 ? 2 : 3;
}
