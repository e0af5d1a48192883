// Korean particles: "{tile}이(가)" becomes 이 or 가 depending on the final sound of the word before it.
// The server does the same in `jantaku/terms/particles.py`; both are tested with `tests/data/particles.tsv`.
type Sound = "vowel" | "rieul" | "consonant";

/** Each particle as texts write it, with its forms after a vowel, after ㄹ and after any other consonant. */
const FORMS: Readonly<Record<string, Record<Sound, string>>> = {
  "이(가)": { vowel: "가", rieul: "이", consonant: "이" },
  "을(를)": { vowel: "를", rieul: "을", consonant: "을" },
  "은(는)": { vowel: "는", rieul: "은", consonant: "은" },
  "와(과)": { vowel: "와", rieul: "과", consonant: "과" },
  "(으)로": { vowel: "로", rieul: "로", consonant: "으로" },
  "(이)라": { vowel: "라", rieul: "이라", consonant: "이라" },
};
const PARTICLE = /이\(가\)|을\(를\)|은\(는\)|와\(과\)|\(으\)로|\(이\)라/g;
const CLOSING = /['"’”)\]}」』〉》⟧ ]+$/;
const TILE = /([0-9])r?([mpsz])$/;
const HONOURS = "동남서북백발중";
const SUITS: Readonly<Record<string, string>> = { m: "만", p: "통", s: "삭" };
const DIGITS = "영일이삼사오육칠팔구";
const LETTERS: Readonly<Record<string, Sound>> = { l: "rieul", r: "rieul", m: "consonant", n: "consonant" };

/** The text with every particle in the one form that fits. */
export function withParticles(text: string): string {
  return text.replace(PARTICLE, (form, at: number) => FORMS[form]?.[soundOf(text.slice(0, at))] ?? form);
}

/** The final sound of the last word of `before` when read aloud; a vowel if unknown. */
function soundOf(before: string): Sound {
  const word = named(before.replace(CLOSING, ""));
  const last = word.slice(-1).toLowerCase();
  const read = /[0-9]/.test(last) ? (DIGITS[Number(last)] ?? last) : last;
  if (read >= "가" && read <= "힣") {
    const final = (read.charCodeAt(0) - "가".charCodeAt(0)) % 28;
    return final === 0 ? "vowel" : final === 8 ? "rieul" : "consonant";
  }
  return word.slice(-2).toLowerCase() === "ng" ? "consonant" : (LETTERS[read] ?? "vowel");
}

/** A word with a tile at its end, if any, replaced by the tile's name. */
function named(word: string): string {
  const [, number = "", suit = ""] = TILE.exec(word) ?? [];
  return suit === "z" ? (HONOURS[Number(number) - 1] ?? word) : (SUITS[suit] ?? word);
}
