// Classifies pasted text: a log, or a link to one, which only the server can fetch.

export type LogSource = { kind: "log" } | { kind: "tenhou"; file: string } | { kind: "mahjongsoul" } | { kind: "link" };

const TENHOU = /\b(\d{10}gm-[0-9a-f]{4}-\d{4,6}-x?[0-9a-f]{8,13})\b/u;
const MAHJONG_SOUL =
  /(?:mahjongsoul|maj-soul|majsoul)[^\s]*[?&]paipu=|^\d{6}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/u;
const LINK = /^https?:\/\/\S+$/u;

/** Classify pasted text. A Tenhou log contains its own id, so only a short text in one line is taken for a link. */
export function logSource(pasted: string): LogSource {
  const text = pasted.trim();
  if (text.length > 300 || /[\n{<]/u.test(text)) return { kind: "log" };
  const id = TENHOU.exec(text)?.[1];
  if (id) return { kind: "tenhou", file: `https://tenhou.net/0/log/?${id}` };
  if (MAHJONG_SOUL.test(text)) return { kind: "mahjongsoul" };
  return { kind: LINK.test(text) ? "link" : "log" };
}

/** The URL from which the server can fetch the log; null if its host is not allowed. */
export function linkOf(source: LogSource, pasted: string, hosts: readonly string[]): string | null {
  const link = source.kind === "tenhou" ? source.file : source.kind === "link" ? pasted.trim() : "";
  return URL.canParse(link) && hosts.includes(new URL(link).hostname) ? link : null;
}
