// Reads a compressed or plain log, up to the server's size limit.
export const MAX_BYTES = 2_000_000;

export class TooLarge extends Error {}
export class Damaged extends Error {}

/** Read a log; Tenhou's downloads are gzipped. Throws `TooLarge` without unpacking more than the limit, or `Damaged`. */
export async function textOf(file: Blob): Promise<string> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (start[0] !== 0x1f || start[1] !== 0x8b) {
    if (file.size > MAX_BYTES) throw new TooLarge();
    return file.text();
  }
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Damaged();
    });
    if (done) return new Blob(parts).text();
    size += value.length;
    if (size > MAX_BYTES) {
      await reader.cancel().catch(() => undefined);
      throw new TooLarge();
    }
    parts.push(value);
  }
}
