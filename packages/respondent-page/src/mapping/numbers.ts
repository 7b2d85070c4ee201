/** The meaning of typed text. `whole` and `decimal` are the two ways to write an ambiguous number clearly. */
export type Reading = { value: number } | { whole: string; decimal: string } | "unreadable";

/** Normalizes the marks of all scripts: `,` and `.` are ambiguous, `'` only groups digits, `;` only starts decimals. */
const marks: [RegExp, string][] = [
  [/[\p{Bidi_Control}\u200b\ufeff]/gu, ""],
  [/[\u2010-\u2014\u2212\ufe63\uff0d]/g, "-"],
  [/[\ufe62\uff0b]/g, "+"],
  [/[\u060c\u3001\ufe50\uff0c]/g, ","],
  [/[\u3002\ufe52\uff0e]/g, "."],
  [/\u066b/g, ";"],
  [/[\s\u066c\u2019\u02bc\uff07_]/g, "'"],
];

/** Groups of thousands, or of lakhs, all with the same mark. */
const grouped = /^\d{1,3}(?:([.,'])\d{3}(?:\1\d{3})*|([.,'])\d{2}(?:\2\d{2})*\2\d{3})$/;

/** A comma or point starts the decimals; repeated, or before the other mark, it groups digits. `1,234` is ambiguous. */
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

function decimalMarkAt(body: string): number {
  const at = Math.max(body.lastIndexOf(","), body.lastIndexOf("."), body.lastIndexOf(";"));
  const isRepeated = at >= 0 && body.indexOf(body[at]!) < at;
  return at < 0 || isRepeated ? body.length : at;
}

const digit = /^\p{Nd}$/u;

/** Unicode encodes the digits 0 to 9 of each script in ascending order. */
export const inAsciiDigits = (text: string) =>
  text.replace(/\p{Nd}/gu, (each) => {
    let first = each.codePointAt(0)!;
    while (digit.test(String.fromCodePoint(first - 1))) first -= 1;
    return String((each.codePointAt(0)! - first) % 10);
  });

/** Writes a finite number so that `readNumber` returns the same number. */
export function writeNumber(value: number): string {
  const text = withoutExponent(String(value));
  return typeof readNumberSafely(text) === "number" ? text : `${text}0`;
}

/** Exponents are below -6 or above 20 and there are at most 17 digits, so the point never falls between them. */
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

/** Returns a number, or the text itself if it is no number, or undefined if it is empty. */
export function numberAnswer(typed: unknown): unknown {
  if (typeof typed !== "string") return typed ?? undefined;
  return typed.trim() === "" ? undefined : (readNumberSafely(typed) ?? typed);
}

export const shownNumber = (answer: unknown): unknown => (typeof answer === "number" ? writeNumber(answer) : answer);
