#!/usr/bin/env node
// Plays one seat with majiang-ai (https://github.com/kobalab/majiang-ai) as an mjai program.
//
// Each line of standard input is a JSON array of mjai messages; each is answered with one message, as described in
// docs/bots.md, "External programs". The rules are Tenhou's, with the red fives and kuitan of the ruleset under
// "jantaku". Majiang writes tiles as m1–m9, p1–p9, s1–s9 and z1–z7, red fives as m0, p0 and s0, a drawn tile as m1_,
// a riichi as m1*, and melds as suit, digits and the direction of the called tile: + right, = across, - left.
// Its places ("l") count from the dealer.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");

const SEATS = 4;
const HONOURS = "ESWNPFC";
const WINDS = "ESWN";
const DIRECTIONS = "_+=-"; // by the number of seats to the right

function fromMjai(name) {
  const honour = HONOURS.indexOf(name);
  if (honour >= 0) return `z${honour + 1}`;
  return name[1] + (name.endsWith("r") ? "0" : name[0]);
}

function toMjai(tile) {
  const [suit, digit] = tile;
  if (suit === "z") return HONOURS[digit - 1];
  return digit === "0" ? `5${suit}r` : digit + suit;
}

function plain(text) {
  return text.replaceAll("0", "5");
}

/** Return a hand in Majiang's notation, red fives first: m055z77. */
function hand(names) {
  const order = (tile) => [tile[0], Number(tile[1]) || 4.5];
  const tiles = names.map(fromMjai).sort((a, b) => {
    const [suit, number] = order(a);
    const [otherSuit, otherNumber] = order(b);
    return suit < otherSuit ? -1 : suit > otherSuit ? 1 : number - otherNumber;
  });
  return tiles
    .map((tile, index) => (tile[0] === tiles[index - 1]?.[0] ? tile[1] : tile))
    .join("");
}

/** Return the mjai names of those digits of a meld that match. */
function tilesOf(meld, digits) {
  return (meld.slice(1).match(digits) ?? []).map((digit) =>
    toMjai(meld[0] + digit),
  );
}

/** Return a copy of Majiang's rules with the options of a ruleset that its player heeds. */
function rulesOf(rule, ruleset = {}) {
  const reds = ruleset.tiles?.red;
  const kuitan = ruleset.calls?.kuitan ?? true;
  if (!reds) return { ...rule, クイタンあり: kuitan };
  const other = Object.keys(reds).find(
    (name) => !/^5[mps]$/.test(name) && reds[name],
  );
  if (other) throw new Error(`Majiang has no red ${other}`);
  return {
    ...rule,
    クイタンあり: kuitan,
    赤牌: { m: reds["5m"] ?? 0, p: reds["5p"] ?? 0, s: reds["5s"] ?? 0 },
  };
}

/** One seat: passes messages on to a player of the library and translates its replies. */
class Seat {
  constructor(player, rule) {
    this.player = player;
    this.rule = rule;
    this.id = null;
    this.dealer = 0;
    this.riichi = new Set(); // seats whose next discard declares riichi
    this.pons = []; // in Majiang's notation, by seat
    this.kan = false; // the next draw replaces a kan's tile
    this.drawn = null; // our tile, if we are to act after a draw
    this.last = null; // the last discard or added tile: its seat and tile
    this.discard = null; // the answer to the echo of our "reach"
    this.held = null; // a step that the player may have to answer
  }

  answer(messages) {
    const discard = this.discard;
    this.discard = null;
    if (discard && messages.length === 1 && messages[0].type === "reach")
      return discard;
    for (const message of messages) {
      const step = this.step(message);
      if (!step) continue;
      // Majiang turns the indicator of a kan before it offers the discard or the draw that reveals it.
      if (step.kaigang) this.player.action(step);
      else {
        this.release();
        this.held = step;
      }
    }
    let reply = {};
    this.release((given) => (reply = given ?? {}));
    return this.reply(reply);
  }

  /** Pass the held step on; without a callback, the player does not decide. */
  release(callback) {
    const step = this.held;
    this.held = null;
    if (step) this.player.action(step, callback);
  }

  place(seat) {
    return (seat - this.dealer + SEATS) % SEATS;
  }

  /** Return Majiang's step for a message; null if it has none. */
  step(message) {
    const { type, actor } = message;
    switch (type) {
      case "start_game": {
        if (message.names && message.names.length !== SEATS)
          throw new Error("Majiang has four players");
        this.id = message.id;
        const rule = rulesOf(this.rule, message.jantaku?.ruleset);
        return {
          kaiju: {
            id: this.id,
            rule,
            title: "",
            player: message.names,
            qijia: 0,
          },
        };
      }
      case "start_kyoku":
        return this.handStarted(message);
      case "tsumo": {
        this.drawn = actor === this.id ? fromMjai(message.pai) : null;
        const draw = { l: this.place(actor), p: this.drawn ?? "" };
        const kan = this.kan;
        this.kan = false;
        return kan ? { gangzimo: draw } : { zimo: draw };
      }
      case "reach":
        this.riichi.add(actor);
        return null;
      case "dahai": {
        const tile = fromMjai(message.pai);
        this.drawn = null;
        this.last = { actor, tile };
        const marks =
          (message.tsumogiri ? "_" : "") +
          (this.riichi.delete(actor) ? "*" : "");
        return { dapai: { l: this.place(actor), p: tile + marks } };
      }
      case "chi":
      case "pon":
      case "daiminkan":
        return { fulou: { l: this.place(actor), m: this.called(message) } };
      case "ankan":
      case "kakan":
        this.drawn = null;
        this.kan = true;
        return { gang: { l: this.place(actor), m: this.declared(message) } };
      case "dora":
        return { kaigang: { baopai: fromMjai(message.dora_marker) } };
      default: // results: the next hand states the points
        return null;
    }
  }

  handStarted(message) {
    this.dealer = message.oya;
    this.riichi.clear();
    this.pons = [[], [], [], []];
    this.kan = false;
    const seats = [0, 1, 2, 3].map((place) => (this.dealer + place) % SEATS);
    return {
      qipai: {
        zhuangfeng: WINDS.indexOf(message.bakaze),
        jushu: message.kyoku - 1,
        changbang: message.honba,
        lizhibang: message.kyotaku,
        defen: seats.map((seat) => message.scores[seat]),
        baopai: fromMjai(message.dora_marker),
        shoupai: seats.map((seat) =>
          seat === this.id ? hand(message.tehais[seat]) : "",
        ),
      },
    };
  }

  called({ type, actor, target, pai, consumed }) {
    const [suit, digit] = fromMjai(pai);
    const marked = digit + DIRECTIONS[(target - actor + SEATS) % SEATS];
    const own = consumed.map((name) => fromMjai(name)[1]);
    if (type === "chi") {
      return (
        suit +
        [...own, marked].sort((a, b) => plain(a[0]) - plain(b[0])).join("")
      );
    }
    const meld = suit + own.sort().reverse().join("") + marked;
    if (type === "pon") this.pons[actor].push(meld);
    else this.kan = true;
    return meld;
  }

  declared({ type, actor, pai, consumed }) {
    const tiles = consumed.map(fromMjai);
    if (type === "ankan") {
      const digits = tiles
        .map((tile) => tile[1])
        .sort()
        .reverse();
      return tiles[0][0] + digits.join("");
    }
    const tile = fromMjai(pai);
    this.last = { actor, tile };
    return (
      this.pons[actor].find((pon) => plain(pon).startsWith(plain(tile))) +
      tile[1]
    );
  }

  /** Translate the player's reply. */
  reply({ hule, daopai, dapai, gang, fulou }) {
    const actor = this.id;
    if (hule) {
      const { actor: target, tile } = this.drawn
        ? { actor, tile: this.drawn }
        : this.last;
      return { type: "hora", actor, target, pai: toMjai(tile) };
    }
    if (daopai) return { type: "ryukyoku", actor, reason: "kyushukyuhai" };
    if (dapai) {
      const discard = {
        type: "dahai",
        actor,
        pai: toMjai(dapai),
        tsumogiri: dapai.includes("_"),
      };
      if (!dapai.includes("*")) return discard;
      this.discard = discard;
      return { type: "reach", actor };
    }
    if (gang) {
      if (/\d{4}$/.test(gang))
        return { type: "ankan", actor, consumed: tilesOf(gang, /\d/g) };
      return {
        type: "kakan",
        actor,
        pai: toMjai(gang[0] + gang.at(-1)),
        consumed: tilesOf(gang.slice(0, -1), /\d/g),
      };
    }
    if (fulou) {
      const consumed = tilesOf(fulou, /\d(?![-+=])/g);
      const same = new Set(plain(fulou).match(/\d/g)).size === 1;
      const type = !same ? "chi" : consumed.length === 2 ? "pon" : "daiminkan";
      return {
        type,
        actor,
        target: this.last.actor,
        pai: toMjai(this.last.tile),
        consumed,
      };
    }
    return { type: "none" };
  }
}

function version() {
  const of = (name) => {
    const file = path.join(
      __dirname,
      "node_modules/@kobalab",
      name,
      "package.json",
    );
    return `${name} ${JSON.parse(fs.readFileSync(file, "utf8")).version}`;
  };
  return `${of("majiang-ai")}, ${of("majiang-core")}, Node ${process.versions.node}`;
}

function main() {
  if (process.argv.includes("--version")) return console.log(version());
  const Player = require("@kobalab/majiang-ai");
  const Majiang = require("@kobalab/majiang-core");
  const seat = new Seat(new Player(), Majiang.rule());
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    process.stdout.write(`${JSON.stringify(seat.answer(JSON.parse(line)))}\n`);
  });
}

module.exports = { Seat };
if (require.main === module) main();
