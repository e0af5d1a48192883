// The text of a file that somebody has saved with whatever program they have.

/** UTF-8, UTF-16 as spreadsheets save "Unicode text", or the older encodings of Korean, Japanese and Western programs. */
export function decoded(data: ArrayBuffer): string {
  const bytes = new Uint8Array(data);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(data);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(data);
  for (const encoding of ["utf-8", japanese(bytes) ? "shift_jis" : "euc-kr"]) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(data);
    } catch {
      // the next one
    }
  }
  return new TextDecoder("windows-1252").decode(data);
}

/** Whether a text that is not UTF-8 is Japanese: most of its letters begin with a byte that Korean hardly ever uses. */
function japanese(bytes: Uint8Array): boolean {
  const low = bytes.filter((byte) => byte >= 0x80 && byte <= 0xa0).length;
  return low * 4 >= bytes.filter((byte) => byte >= 0x80).length;
}

export async function fileText(file: Blob): Promise<string> {
  return decoded(await file.arrayBuffer());
}
