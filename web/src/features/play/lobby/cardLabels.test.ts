import { expect, it } from "vitest";
import { labelsBeside } from "./cardLabels";

it("says nothing twice", () => {
  expect(labelsBeside("표준 · 동풍전", ["동풍전", "시간 제한"])).toEqual(["시간 제한"]);
  expect(labelsBeside("금요일", ["표준 · 동풍전", "동풍전", "", "레이팅"])).toEqual(["표준 · 동풍전", "레이팅"]);
  expect(labelsBeside("Standard · hanchan", ["Hanchan", "no clock"])).toEqual(["no clock"]);
  expect(labelsBeside("동풍전", ["동풍전"])).toEqual([]);
  expect(labelsBeside("동풍전 모임", ["동풍전"])).toEqual(["동풍전"]);
});
