import type { YakuCards, YakuCard } from "$generated/wire";

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\-_·（）()]/g, "");
}

function matches(yaku: YakuCard, wanted: string): boolean {
  return [yaku.name, yaku.id, ...Object.values(yaku.names)].some((name) => plain(name).includes(wanted));
}

/** Filter the groups to yaku whose name in any language contains the typed text. */
export function matching(groups: readonly YakuCards[], typed: string): YakuCards[] {
  const wanted = plain(typed);
  const filtered = groups.map((group) => ({ ...group, yaku: group.yaku.filter((yaku) => matches(yaku, wanted)) }));
  return filtered.filter((group) => group.yaku.length > 0);
}
