// Inflects texts to fit inserted values: Korean particles ("{tile}이(가)") and English plurals ("{count} game(s)").
// The server's counterpart, `jantaku/terms/agreement.py`, documents the notation; `tests/data/agreement.tsv` tests both.
type Sound = "vowel" | "rieul" | "consonant";

/** Each particle in the notation of texts, with its forms after a vowel, after ㄹ and after other consonants. */
const FORMS: Readonly<Record<string, Record<Sound, string>>> = {
  "이(가)": { vowel: "가", rieul: "이", consonant: "이" },
  "을(를)": { vowel: "를", rieul: "을", consonant: "을" },
  "은(는)": { vowel: "는", rieul: "은", consonant: "은" },
  "와(과)": { vowel: "와", rieul: "과", consonant: "과" },
  "(으)로": { vowel: "로", rieul: "로", consonant: "으로" },
  "(이)라": { vowel: "라", rieul: "이라", consonant: "이라" },
};
const FORM = /이\(가\)|을\(를\)|은\(는\)|와\(과\)|\(으\)로|\(이\)라|\(s\)|\(ies\)|\([a-z]+\|[a-z]+\)/g;
const MARK = "\u0001"; // never occurs in real text
const MARKED = new RegExp(`${MARK}(${FORM.source})`, "g");
const ENDS_WITH_ONE = /(?<![\d.,])1(?!\d|[.,]\d)\D*$/;
const CLOSING = /['"’”)\]}」』〉》⟧ ]+$/;
const TILE = /([0-9])r?([mpsz])$/;
const HONOURS = "동남서북백발중";
const SUITS: Readonly<Record<string, string>> = { m: "만", p: "통", s: "삭" };
const DIGITS = "영일이삼사오육칠팔구";
const LETTERS: Readonly<Record<string, Sound>> = { l: "rieul", r: "rieul", m: "consonant", n: "consonant" };

/** Insert values with `fill`, then inflect the text's own particles and plurals; inserted values stay unchanged. */
export function inflect(text: string, fill: (text: string) => string): string {
  if (!text.includes("(")) return fill(text);
  const filled = fill(text.replace(FORM, `${MARK}$&`));
  return filled.replace(MARKED, (_, form: string, at: number) => inflected(form, filled.slice(0, at)));
}

function inflected(form: string, before: string): string {
  const particle = FORMS[form];
  if (particle) return particle[soundOf(before)];
  const one = ENDS_WITH_ONE.test(before);
  if (form === "(s)") return one ? "" : "s";
  if (form === "(ies)") return one ? "y" : "ies";
  return form.slice(1, -1).split("|")[one ? 1 : 0] ?? form;
}

/** The final sound of `before` when read aloud; a vowel if unknown. */
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
