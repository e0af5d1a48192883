import { beforeEach, expect, test } from "vitest";
import { TablePass } from "./tablePass";

const finger = { clientX: 100, clientY: 100, button: 0, pointerType: "touch", isPrimary: true };
let letting: TablePass;
beforeEach(() => {
  letting = new TablePass();
  letting.asked(1000);
});

function tap(from: number, to: number, moved = 0): boolean {
  const down = letting.down({ ...finger, timeStamp: from }, true);
  return down || letting.up({ ...finger, timeStamp: to, clientX: 100 + moved });
}

test("a short tap passes", () => {
  expect(tap(1500, 1600)).toBe(true);
});

test.each([
  ["begun before the question could be seen", 1300, 1400, 0],
  ["held down", 1500, 2000, 0],
  ["drawn over the table", 1500, 1600, 30],
])("a tap passes nothing: %s", (_, from, to, moved) => {
  expect(tap(from, to, moved)).toBe(false);
});

test("a finger that lies there when the next question comes passes nothing", () => {
  letting.down({ ...finger, timeStamp: 1500 }, true);
  letting.asked(1550);
  expect(letting.up({ ...finger, timeStamp: 1600 })).toBe(false);
});

test("the right button of a mouse passes at once, and keeps the menu of the browser shut", () => {
  expect(letting.menu({ timeStamp: 1000 })).toBe(false);
  expect(letting.down({ ...finger, pointerType: "mouse", button: 2, timeStamp: 1010 }, false)).toBe(true);
  expect(letting.menu({ timeStamp: 1020 })).toBe(true);
});

test("nothing passes while nobody is asked", () => {
  letting.asked(null);
  expect(tap(1500, 1600)).toBe(false);
  expect(letting.down({ ...finger, pointerType: "mouse", button: 2, timeStamp: 1700 }, false)).toBe(false);
});

test("a tap on a tile, a plate or a button passes nothing", () => {
  letting.down({ ...finger, timeStamp: 1500 }, false);
  expect(letting.up({ ...finger, timeStamp: 1600 })).toBe(false);
});
