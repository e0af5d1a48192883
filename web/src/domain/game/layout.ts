// The position and size of everything on the board. Plain numbers are in widths of a river tile; multiplied by `tile`
// they are pixels.
import type { RiverTile } from "$generated/wire";
import { sidesOf, type Side } from "../seats";
import { kitaLong, piecesOf, SIDEWAYS, sizeOf, UPRIGHT } from "../tiles/meldLayout";
import { concealed, type SeatState } from "./tableState";

/** A rectangle in pixels: its centre from the board's upper left corner, and its size before rotation. */
export interface Box {
  x: number;
  y: number;
  wide: number;
  high: number;
  /** Clockwise, in degrees. */
  turn: number;
}

export interface TileBox extends Box {
  tile: number;
}

/** A player's tiles on the board; lengths are in tile widths. */
export interface PlayerTiles {
  concealed: number;
  open: boolean;
  norths: number;
  melds: readonly { long: number; deep: number }[];
}

export function playerTiles(seat: SeatState, display: string): PlayerTiles {
  return {
    concealed: concealed(seat),
    open: (seat.hand ?? seat.shown) !== null,
    norths: seat.kita,
    melds: seat.melds.map((meld) => sizeOf(piecesOf(meld, display))),
  };
}

/** Seats are in turn order from the player below. */
export interface BoardState {
  players: readonly PlayerTiles[];
  all?: boolean;
  head?: number;
  opened?: readonly { at: number; long: number; waits: boolean }[];
}

export type Layout = ReturnType<typeof layout>;
export type SeatLayout = Layout["seats"][number];

/**
 * The plus: the rivers around the centre. The side rivers lie between the ends of the other two (tall), beyond them
 * (broad), or so far out that the plates of the players below and above fit outside them (row).
 */
interface Plus {
  name: "tall" | "broad" | "row";
  core: number;
  band: number;
  /** Height of the line with the hand above. */
  above: number;
  stick: number;
  lip: number;
  text: number;
}
const PLUSES: readonly Plus[] = [
  { name: "tall", core: 3.3, band: 6.6, above: 1.2, stick: 1.1, lip: 0.31, text: 0.53 },
  { name: "broad", core: 6.7, band: 3.9, above: 1.2, stick: 1.7, lip: 0.36, text: 0.47 },
  { name: "row", core: 10.4, band: 2.3, above: 0.95, stick: 0.9, lip: 0.34, text: 0.46 },
];
const RIVER = { long: 6.4, deep: 4.2 };
const BESIDE = 3.3; // half the length of a river or a hidden hand at the side
const LARGEST = 64; // pixels
const LOW = 420; // pixels
const AUTOMATIC = 190; // pixels; the automatic buttons beside the menu button
const HIGH = 1.62; // height of a line with a hand, in widths of its tiles
const STACKED = 2.17; // the same with an added kan, two tiles high
const MELD_GAP = 0.08;
const SPARE = 3; // maximum distance of the side hands from the rivers
const PLATE = { long: 3.7, least: 4.6, high: 4.75 }; // maximum length, minimum length in a row, height in letters
const OUTWARDS: Record<Side, readonly [number, number, number]> = {
  below: [0, 1, 0],
  right: [1, 0, -90],
  above: [0, -1, 180],
  left: [-1, 0, 90],
};

// Shadows fall down the screen; this is that direction within a rotated box
const FALLS: Readonly<Record<number, string>> = { [-90]: "-2px 0", 90: "2px 0", 180: "0 -2px" };

function clamp(min: number, value: number, max: number): number {
  return Math.max(min, Math.min(value, max));
}

const atSide = (side: Side | undefined): boolean => side === "left" || side === "right";

/** Side hands: tile size, line width, and how far the hand and the melds extend past the ends of their river. */
function sideHands(open: boolean, roomy: boolean, norths: boolean): Record<"tile" | "line" | "hand" | "melds", number> {
  if (!open) return { tile: 0.64, line: 0.4, hand: 0.05, melds: 0.05 };
  // A whole open hand with the drawn tile
  const hand = roomy ? 2.1 : 1.2;
  // Norths may be beside a whole hand; melds are beside a shorter one
  const melds = norths ? hand : roomy ? 1 : 0.5;
  return { tile: roomy ? 0.76 : 0.64, line: roomy ? 1.1 : 0.95, hand, melds };
}

/** The plus with the largest tiles that the board has room for. */
function fitted(wide: number, high: number, { players, all = false, head = 0 }: BoardState) {
  const sides = sidesOf(players.length);
  const tiny = wide <= 260 || high <= 200; // a phone zoomed to 200%, where everything appears twice as large
  const stacked = (at: number): boolean => (players[at]?.melds ?? []).some(({ deep }) => deep > 2);
  const open = players.some((player, at) => player.open && atSide(sides[at]));
  const norths = players.some((player) => player.norths > 0 && !player.melds.length);
  const across = sides.indexOf("above");
  const alone = across < 0; // with no player across, only the right player's melds reach as far up as a river
  const highBelow = all ? (stacked(0) ? 1.9 : 1.45) : 0;

  const candidates = PLUSES.map((plus) => {
    const row = plus.name === "row";
    const reach = sideHands(open, plus.name !== "tall" || wide / high <= 7 / 10, norths);
    const least = plus.core / 2 + RIVER.deep + reach.line + 0.2; // from the centre to the side edge
    const highAbove = alone ? 0.1 : plus.above + (stacked(across) ? 0.35 : 0);
    const down = plus.band + 2 * RIVER.deep + 0.2;
    const tile = Math.min(
      LARGEST,
      wide / (2 * (least + (row ? PLATE.least : 0))),
      high / (down + highAbove + highBelow),
      (high - (row ? 0 : head)) / (down + highBelow),
    );
    const plateText = tiny ? clamp(6.5, tile * 0.42, 8) : clamp(10.5, tile * (plus.name === "tall" ? 0.46 : 0.42), 17);
    const plateHigh = plateText * PLATE.high;
    const outer = row ? least : Math.min(wide / 2 / tile, least + SPARE);
    // Whether plates fit in the corners; in a row they would be far from their rivers
    const platesFit = row ? high <= LOW : plus.name === "tall" || tile * (down / 2 - BESIDE) > plateHigh + 2;
    return { plus, reach, tile, outer, highAbove, highBelow, plateText, plateHigh, tiny, alone, stacked, platesFit };
  });
  return candidates
    .filter(({ platesFit }) => platesFit)
    .reduce((best, other) => (other.tile > best.tile ? other : best));
}

/**
 * Lay out the board with the largest tiles that fit: the centre with a river on each side and hands along the edges. Each
 * free corner of the plus holds the plate of the player on whose left it is, and the melds of the next player.
 */
export function layout(wide: number, high: number, state: BoardState) {
  const { players, all = false, head = 0, opened = [] } = state;
  const sides = sidesOf(players.length);
  const fit = fitted(wide, high, state);
  const { plus, reach, tile, outer, plateText, plateHigh, alone } = fit;
  const [tall, row] = [plus.name === "tall", plus.name === "row"];

  const top = Math.max(tile * fit.highAbove, row ? 0 : head);
  const bottom = tile * fit.highBelow;
  const half = Math.min((high - top - bottom) / 2, tile * (BESIDE + 9));
  const corner = half - tile * BESIDE;
  const beyond = tile * (BESIDE + (tall ? reach.hand : 0)) + 2; // from the centre to the side plates
  const between = top + (high - top - bottom) / 2;
  // How far the centre moves up from there, as the left player's plate permits
  const higher = alone && tall ? clamp(0, between - beyond - plateHigh, tile * 1.4) : 0;
  const middle = { x: wide / 2, y: between - higher };
  const lower = half + higher; // from the centre to the line of the hand below; `half` is the distance to the one above
  const inside = tile * (outer - reach.line - 0.1); // from the centre to the side hands
  const plateWide = row
    ? Math.min(Math.max(tile * PLATE.least, 124), wide / 2 - tile * (outer + 0.5))
    : tall
      ? Math.min(tile * 5, wide / 2 - tile * (BESIDE + 0.05))
      : Math.min(tile * PLATE.long, inside - tile * (BESIDE + 0.1));

  /** A box facing a player, by its distance from the centre and to the player's right. */
  function turned(side: Side, out: number, right: number, long: number, deep: number): Box {
    const [x, y, turn] = OUTWARDS[side];
    return { x: middle.x + x * out + y * right, y: middle.y + y * out - x * right, wide: long, high: deep, turn };
  }

  /** The same position, but facing the viewer. */
  function upright(side: Side, out: number, right = 0, long = 0, deep = 0): Box {
    return { ...turned(side, out, right, long, deep), turn: 0 };
  }

  function handOf(player: PlayerTiles, side: Side, at: number): TileBox {
    if (atSide(side)) {
      const line = tile * reach.line;
      const size = tile * reach.tile;
      const long = player.concealed + (player.concealed % 3 === 2 ? 0.25 : 0);
      // The left end of an open hand, beside the plate, stays in place when tiles become melds
      const right = player.open ? (size * Math.min(0, long - 13)) / 2 : 0;
      const length = size * long * (player.open ? 1 : 0.7);
      return { ...turned(side, tile * outer - line / 2, right, length, line), tile: size };
    }
    const line = side === "above" ? top : bottom;
    const buttons = head + (row ? AUTOMATIC : 0);
    const room = wide - 2 * Math.max(tile, all ? 0 : buttons + 4);
    const beside = [...player.melds.map(({ long }) => long), ...(player.norths ? [kitaLong(player.norths)] : [])];
    const long = beside.reduce((sum, length) => sum + length + 0.3, player.concealed + 0.5);
    const size = Math.min(line / (fit.stacked(at) ? STACKED : HIGH), room / long);
    return { ...turned(side, (side === "below" ? lower : half) + line / 2, 0, size * long, line), tile: size };
  }

  /** At a side player's right, beside the next player's plate or between it and the river. */
  function meldsOf({ melds, norths }: PlayerTiles, side: Side): TileBox {
    const long = Math.max(kitaLong(norths), ...melds.map((meld) => meld.long));
    const deep = melds.reduce((sum, meld) => sum + meld.deep + MELD_GAP, norths ? UPRIGHT + MELD_GAP : 0);
    const along = corner - tile * (reach.melds + 0.1);
    const out = tile * (outer - BESIDE - 0.1);
    const free = row || (alone && side === "right"); // no plate in that corner
    const size = Math.min(
      tile * 0.85,
      free
        ? Math.min((along - higher) / long, out / deep)
        : Math.max(
            Math.min((along - plateHigh - tile * 0.1) / long, out / deep),
            Math.min(along / long, (out - plateWide) / deep),
          ),
    );
    const right = tile * (BESIDE + reach.melds) + (size * long) / 2;
    return { ...turned(side, tile * outer - (size * deep) / 2, right, size * long, size * deep), tile: size };
  }

  function northsOf(count: number): TileBox {
    const size = Math.min(tile * 0.85, (tall || row ? high : lower - beyond - plateHigh - 4) / UPRIGHT);
    const [long, deep] = [size * kitaLong(count), size * UPRIGHT];
    const out = (tall || row ? tile * (plus.band / 2 + RIVER.deep + 0.1) : lower) - deep / 2;
    return { ...turned("below", out, tile * 3.5 + long / 2, long, deep), tile: size };
  }

  /** At the player's left: past the end of the river, or outside the hands in a row. */
  function plateOf(side: Side): Box {
    const outside = tile * (outer + 0.4) + plateWide / 2;
    const beside = row ? outside : tile * BESIDE + plateWide / 2;
    if (atSide(side)) {
      const out = row || tall ? beside : inside - plateWide / 2;
      return upright(side, out, row ? 0 : -beyond - plateHigh / 2, plateWide, plateHigh);
    }
    const edge = side === "below" ? high - middle.y : middle.y;
    const out = row ? edge - 3 : side === "below" ? lower : half;
    return upright(side, out - plateHigh / 2, -beside, plateWide, plateHigh);
  }

  function seatOf(player: PlayerTiles, at: number) {
    const side = sides[at] ?? "below";
    const onSide = atSide(side);
    const deep = (onSide ? plus.core : plus.band) / 2; // from the centre to the river
    return {
      side,
      river: { ...turned(side, tile * (deep + 2.2), 0, tile * RIVER.long, tile * RIVER.deep), tile },
      // The viewer's own hand is otherwise below the board
      hand: at > 0 || all ? handOf(player, side, at) : null,
      // The other players' melds are beside the hand
      melds: onSide && (player.melds.length || player.norths) ? meldsOf(player, side) : null,
      // The hand below has no room for them on a phone
      norths: at === 0 && !all && player.norths ? northsOf(player.norths) : null,
      plate: plateOf(side),
      // Where a call appears, and where the called tile moves
      call: upright(side, tile * (opened.length ? 1.4 : deep + 2.2)),
      corner: upright(side, tile * (deep + 4.6)),
      // The edge of the centre with the wind and the stick
      edge: turned(
        side,
        tile * (deep - 0.05 - plus.lip),
        0,
        tile * ((onSide ? plus.band : plus.core) - 0.7),
        tile * 0.6,
      ),
    };
  }

  /** A hand opened over its river: between the plates, or beside the player's own if they are too close together. */
  function openedOf({ at, long, waits }: (typeof opened)[number]): TileBox {
    const side = sides[at] ?? "below";
    const largest = tile * (opened.length > 1 ? 0.58 : 0.92); // so that several do not meet in the corners
    const deep = largest * 1.8 + (waits ? tile * 1.1 : 0) + 4;
    const end = (side === "below" || side === "left" ? lower : half) - plateHigh;
    let out = tile * ((atSide(side) ? plus.core : plus.band) / 2 + 2.9);
    let right = 0;
    let room = atSide(side) ? high - 4 * tile : wide - 2 * tile;
    if (!row && atSide(side)) room = beyond + end - 8;
    else if (tall) {
      const begin = beyond + plateHigh;
      if (begin + deep > end) right = plateWide / 2;
      out = Math.min(Math.max((begin + end) / 2, begin + deep / 2), end + plateHigh - deep / 2);
      room = wide - 2 * Math.max(tile / 2, right) - 12;
    } else if (!row) {
      out = end - deep / 2 - 4;
      room = 2 * (inside - plateWide) - 8;
    }
    const size = Math.min(largest, room / long);
    if (!row && atSide(side)) right = Math.max(0, (size * long) / 2 + 4 - beyond);
    return { ...turned(side, out, right, size * long, deep), tile: size };
  }

  const seats = players.map(seatOf);

  /** The player's chat bubble: on the free side of the plate, or on the plate. */
  function bubbleOf({ side, plate }: (typeof seats)[number]): Box {
    const down = side === "above" || side === (row ? "left" : "right");
    const by = down ? 1 : -1;
    const begin = plate.y + (by * plateHigh) / 2;
    const ends = seats.flatMap(({ plate: other, hand, melds, norths }) =>
      [other, hand, melds, norths].flatMap((box) => {
        if (!box || box === plate) return [];
        const [long, deep] = box.turn ? [box.high, box.wide] : [box.wide, box.high];
        const apart = Math.abs(box.x - plate.x) >= (long + plateWide) / 2 || (box.y - plate.y) * by < 0;
        return apart ? [] : [box.y - (by * deep) / 2];
      }),
    );
    if (side === "below" || side === "above") ends.push(row ? middle.y : middle.y - by * tile * BESIDE);
    else ends.push(down ? middle.y + lower : Math.max(top, middle.y - half));
    const free = Math.min(...ends.map((end) => (end - begin) * by)) / (row ? 2 : 1) - 4; // a row has two in one column
    if (free < plateHigh * 0.5) return plate;
    const deep = Math.min(free, plateHigh * 1.5);
    return { ...plate, y: begin + by * (deep / 2 + 2), high: deep };
  }

  return {
    tile,
    centre: { ...middle, wide: tile * (plus.core - 0.1), high: tile * (plus.band - 0.1), turn: 0 },
    centreText: fit.tiny ? clamp(5, tile * plus.text, 10) : clamp(10, tile * plus.text, 24),
    plateText,
    plus: plus.name,
    stick: tile * plus.stick, // of the side players
    seats: seats.map((seat) => ({ ...seat, bubble: bubbleOf(seat) })),
    opened: opened.map(openedOf),
  };
}

export function inBox({ x, y, wide, high, turn, tile }: Box & { tile?: number }): string {
  const size = `inline-size: ${wide}px; block-size: ${high}px; translate: ${x - wide / 2}px ${y - high / 2}px`;
  const turned = `${size}; rotate: ${turn}deg`;
  return tile === undefined ? turned : `${turned}; --tile: ${tile}px; --fall: ${FALLS[turn] ?? "0 2px"}`;
}

interface Laid {
  sideways: boolean;
}

const IN_ROW = 6;
const ROWS = 3;
const ROOM = 6.4; // how wide a row may be, in tiles
const MAX_LAST_ROW = 10; // tiles; with more, half of each would be covered

/** The tiles still in the river. The riichi tile is sideways, or the next one if it was called. */
export function laidTiles(river: readonly RiverTile[]): (RiverTile & Laid & { key: number })[] {
  let turn = false;
  return river.flatMap((tile, key) => {
    turn ||= tile.riichi;
    if (tile.called) return [];
    const sideways = turn;
    turn = false;
    return [{ ...tile, sideways, key }];
  });
}

/** Split a river into rows of six with the rest in the last row; very long rivers are split evenly. */
export function rowsOf<Tile extends Laid>(laid: readonly Tile[]): Tile[][] {
  const full = (ROWS - 1) * IN_ROW;
  const row = laid.length > full + MAX_LAST_ROW ? Math.ceil(laid.length / ROWS) : IN_ROW;
  return [laid.slice(0, row), laid.slice(row, 2 * row), laid.slice(2 * row)];
}

/** The overlap of adjacent tiles in a row, in tile widths. */
export function lapOf(row: readonly Laid[]): number {
  if (row.length <= IN_ROW) return 0;
  const wide = row.reduce((sum, tile) => sum + (tile.sideways ? SIDEWAYS : 1), 0);
  return Math.max(0, wide - ROOM) / (row.length - 1);
}
