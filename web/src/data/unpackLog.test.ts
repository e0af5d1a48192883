import { expect, test } from "vitest";
import { Damaged, MOST_BYTES, textOf, TooLarge } from "./unpackLog";

function packed(content: Blob): Promise<Blob> {
  return new Response(content.stream().pipeThrough(new CompressionStream("gzip"))).blob();
}

test("a log is read, packed or not", async () => {
  const log = new Blob(["패보 牌譜\n"]);
  expect(await textOf(log)).toBe("패보 牌譜\n");
  expect(await textOf(await packed(log))).toBe("패보 牌譜\n");
});

test("a small file that unpacks to much is left before it is unpacked", async () => {
  const bomb = await packed(new Blob([new Uint8Array(30 * MOST_BYTES)]));
  expect(bomb.size).toBeLessThan(MOST_BYTES);
  await expect(textOf(bomb)).rejects.toThrow(TooLarge);
  await expect(textOf(new Blob([new Uint8Array(MOST_BYTES + 1)]))).rejects.toThrow(TooLarge);
});

test("a damaged file is said to be damaged", async () => {
  const whole = await packed(new Blob(["x".repeat(9999)]));
  await expect(textOf(whole.slice(0, whole.size - 9))).rejects.toThrow(Damaged);
});
