import { expect, it } from "vitest";
import { flowsOf, sticksOf } from "./paymentFlows";

it("lets the discarder pay the winner, and the table's sticks aside", () => {
  expect(flowsOf([0, -2900, 5900, 0])).toEqual([{ from: 1, to: 2, points: 2900 }]);
});

it("shares a tsumo and a draw", () => {
  expect(flowsOf([12000, -4000, -4000, -4000]).map((flow) => [flow.from, flow.to, flow.points])).toEqual([
    [1, 0, 4000],
    [2, 0, 4000],
    [3, 0, 4000],
  ]);
  expect(flowsOf([1500, 1500, -1500, -1500])).toEqual([
    { from: 2, to: 0, points: 1500 },
    { from: 3, to: 1, points: 1500 },
  ]);
});

it("pays two winners from one discarder", () => {
  expect(flowsOf([1000, -9000, 8000])).toEqual([
    { from: 1, to: 0, points: 1000 },
    { from: 1, to: 2, points: 8000 },
  ]);
});

it("pays with the largest sticks first and draws a bounded number", () => {
  expect(sticksOf(7700)).toEqual([5000, 1000, 1000, 100, 100, 100, 100, 100]);
  expect(sticksOf(48000)).toHaveLength(8);
  expect(sticksOf(0)).toEqual([]);
});
