import { expect, test } from "vitest";
import { linkOf, logSource } from "./logSource";

const FILE = "https://tenhou.net/0/log/?2011020417gm-00a9-0000-b67fcaa3";

test.each([
  ["http://tenhou.net/0/?log=2011020417gm-00a9-0000-b67fcaa3&tw=1", FILE],
  [" https://tenhou.net/3/?log=2011020417gm-00a9-0000-b67fcaa3\n", FILE],
  ["2011020417gm-00a9-0000-b67fcaa3", FILE],
])("%s is a Tenhou log", (text, file) => {
  expect(logSource(text)).toEqual({ kind: "tenhou", file });
});

test.each([
  "https://mahjongsoul.game.yo-star.com/?paipu=201129-19398ca4-e825-40d6-9ee5-a5f8175dcb50_a924963243",
  "https://game.maj-soul.com/1/?paipu=201129-19398ca4-e825-40d6-9ee5-a5f8175dcb50_a924963243",
  "201129-19398ca4-e825-40d6-9ee5-a5f8175dcb50_a924963243",
])("%s is a Mahjong Soul link", (text) => {
  expect(logSource(text)).toEqual({ kind: "mahjongsoul" });
});

test.each([
  ["https://example.org/game", "link"],
  ["javascript:alert(1)", "log"],
  ['{"log":[],"ref":"2011020417gm-00a9-0000-b67fcaa3"}', "log"],
  ['<mjloggm ver="2.3"><SHUFFLE/></mjloggm>', "log"],
  ["", "log"],
])("%s is a %s", (text, kind) => {
  expect(logSource(text).kind).toBe(kind);
});

test.each([
  [
    "https://tenhou.net/0/?log=2026010100gm-0009-0000-0123abcd",
    "https://tenhou.net/0/log/?2026010100gm-0009-0000-0123abcd",
  ],
  ["https://logs.example.org/1.json", "https://logs.example.org/1.json"],
  ["https://other.example.org/1.json", null],
  ["{}", null],
])("%s is fetched from %s", (pasted, link) => {
  expect(linkOf(logSource(pasted), pasted, ["tenhou.net", "logs.example.org"])).toBe(link);
});
