// Reads text files saved by any program.

/** Decode UTF-8, UTF-16 with a byte order mark (the "Unicode text" of spreadsheets), EUC-KR, Shift_JIS or Windows-1252. */
export function decoded(data: ArrayBuffer): string {
  const bytes = new Uint8Array(data);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(data);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(data);
  for (const encoding of ["utf-8", japanese(bytes) ? "shift_jis" : "euc-kr"]) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(data);
    } catch {
      // try the next one
    }
  }
  return new TextDecoder("windows-1252").decode(data);
}

/** Whether a text that is not UTF-8 is Japanese: at least a quarter of its bytes above 0x7f are ones that EUC-KR hardly uses. */
function japanese(bytes: Uint8Array): boolean {
  const low = bytes.filter((byte) => byte >= 0x80 && byte <= 0xa0).length;
  return low * 4 >= bytes.filter((byte) => byte >= 0x80).length;
}

export async function fileText(file: Blob): Promise<string> {
  return decoded(await file.arrayBuffer());
}
