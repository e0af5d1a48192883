import { expect, test } from "vitest";
import { Damaged, MAX_BYTES, textOf, TooLarge } from "./unpackLog";

function packed(content: Blob): Promise<Blob> {
  return new Response(content.stream().pipeThrough(new CompressionStream("gzip"))).blob();
}

test("a log may be compressed or not", async () => {
  const log = new Blob(["패보 牌譜\n"]);
  expect(await textOf(log)).toBe("패보 牌譜\n");
  expect(await textOf(await packed(log))).toBe("패보 牌譜\n");
});

test("a compression bomb is rejected before it is unpacked", async () => {
  const bomb = await packed(new Blob([new Uint8Array(30 * MAX_BYTES)]));
  expect(bomb.size).toBeLessThan(MAX_BYTES);
  await expect(textOf(bomb)).rejects.toThrow(TooLarge);
  await expect(textOf(new Blob([new Uint8Array(MAX_BYTES + 1)]))).rejects.toThrow(TooLarge);
});

test("a truncated file is reported as damaged", async () => {
  const whole = await packed(new Blob(["x".repeat(9999)]));
  await expect(textOf(whole.slice(0, whole.size - 9))).rejects.toThrow(Damaged);
});
