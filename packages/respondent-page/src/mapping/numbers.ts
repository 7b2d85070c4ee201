/** What a typed text is read as; `whole` and `decimal` are the two ways to write what can be read in two ways. */
export type Reading = { value: number } | { whole: string; decimal: string } | "unreadable";

/** Marks of all scripts: `,` and `.` stand for either mark, `'` only groups digits, `;` only begins decimals. */
const marks: [RegExp, string][] = [
  [/[\p{Bidi_Control}\u200b\ufeff]/gu, ""],
  [/[\u2010-\u2014\u2212\ufe63\uff0d]/g, "-"],
  [/[\ufe62\uff0b]/g, "+"],
  [/[\u060c\u3001\ufe50\uff0c]/g, ","],
  [/[\u3002\ufe52\uff0e]/g, "."],
  [/\u066b/g, ";"],
  [/[\s\u066c\u2019\u02bc\uff07_]/g, "'"],
];

/** Groups of thousands, or of lakhs; the mark between them is one. */
const grouped = /^\d{1,3}(?:([.,'])\d{3}(?:\1\d{3})*|([.,'])\d{2}(?:\2\d{2})*\2\d{3})$/;

/**
 * Reads a number as people type it, in any digits: a comma or a point begins the decimals, or groups digits where it
 * stands more than once or before the other. `1,234` may be both, so it is neither.
 */
export function readNumber(typed: string): Reading {
  const text = marks.reduce((text, [mark, plain]) => text.replace(mark, plain), inAsciiDigits(typed.trim()));
  const [, sign = "", body = ""] = /^([+-]?)'*([\d.,;']+)$/.exec(text) ?? [];
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(body))
    return { whole: `${sign}${body.replace(/[.,]/, "")}`, decimal: `${sign}${body}0` };
  const decimalAt = decimalMarkAt(body);
  const [whole, decimals] = [body.slice(0, decimalAt), body.slice(decimalAt + 1)];
  const isWhole = /^\d*$/.test(whole) || grouped.test(whole);
  if (!isWhole || !/^\d*$/.test(decimals) || !/\d/.test(body)) return "unreadable";
  return { value: Number(`${sign}${whole.replace(/\D/g, "")}.${decimals}0`) };
}

/** The index of the mark before the decimals; the end where there is none. */
function decimalMarkAt(body: string): number {
  const at = Math.max(body.lastIndexOf(","), body.lastIndexOf("."), body.lastIndexOf(";"));
  const isRepeated = at >= 0 && body.indexOf(body[at]!) < at;
  return at < 0 || isRepeated ? body.length : at;
}

const digit = /^\p{Nd}$/u;

/** Digits of a script follow each other in Unicode, from zero, ten at a time. */
const inAsciiDigits = (text: string) =>
  text.replace(/\p{Nd}/gu, (each) => {
    let first = each.codePointAt(0)!;
    while (digit.test(String.fromCodePoint(first - 1))) first -= 1;
    return String((each.codePointAt(0)! - first) % 10);
  });

/** A finite number as a text that `readNumber` reads as the same number. */
export function writeNumber(value: number): string {
  const text = withoutExponent(String(value));
  return typeof readNumberSafely(text) === "number" ? text : `${text}0`;
}

/** Exponents are below -6 or above 20, and digits at most 17: the point moves to either end of them. */
function withoutExponent(text: string): string {
  const [, sign = "", first = "", rest = "", exponent] = /^(-?)(\d)\.?(\d*)e(.+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const digits = first + rest;
  const point = 1 + Number(exponent);
  return sign + (point > 0 ? digits.padEnd(point, "0") : `0.${"0".repeat(-point)}${digits}`);
}

function readNumberSafely(text: string): number | undefined {
  const reading = readNumber(text);
  return typeof reading === "object" && "value" in reading ? reading.value : undefined;
}

/** The answer behind a typed text: a number, the text itself where it is none, undefined where nothing was typed. */
export function numberAnswer(typed: unknown): unknown {
  if (typeof typed !== "string") return typed ?? undefined;
  return typed.trim() === "" ? undefined : (readNumberSafely(typed) ?? typed);
}

/** What a field shows for an answer. */
export const shownNumber = (answer: unknown): unknown => (typeof answer === "number" ? writeNumber(answer) : answer);
