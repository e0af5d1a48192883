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

/** The groups with only the yaku whose name, in any language, has the typed text in it. */
export function matching(groups: readonly YakuCards[], typed: string): YakuCards[] {
  const wanted = plain(typed);
  const kept = groups.map((group) => ({ ...group, yaku: group.yaku.filter((yaku) => matches(yaku, wanted)) }));
  return kept.filter((group) => group.yaku.length > 0);
}
