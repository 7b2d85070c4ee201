import fc from "fast-check";
import { expect, test } from "vitest";
import { nameViolations } from "./name-violations.ts";

const messagesFor = (name: string) => nameViolations("name", name, 100).map(({ message }) => message);
const required = "must have a visible character";
const unshowable = "must hold no control characters, and none that are invisible or broken";

test.each([
  ["letters", "CI"],
  ["a full length", "x".repeat(100)],
  ["characters of two code units", "😀".repeat(100)],
  ["spaces around and of any width", " a\u3000b\u00a0c "],
  ["joined emoji", "👩\u200d🚀 crew"],
  ["joined emoji with a variant inside", "❤\ufe0f\u200d🔥"],
  ["a chosen variant", "☎\ufe0e ☎\ufe0f 葛\u{e0100}"],
  ["a key cap and a flag", "1\ufe0f\u20e3 🇳🇵"],
  ["a flag made of tags", "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} team"],
  ["skin tones", "👍🏽"],
  ["Persian with its non-joiner", "می\u200cخواهم"],
  ["Persian shaped before a full stop", "ه\u200d.ش"],
  ["a Devanagari half form", "क्\u200dष"],
  ["emoji joined in a way of their maker's", "🐈\u200d🛸"],
  ["accents typed apart", "e\u0301"],
  ["a character newer than Unicode 17", "\u{1faff}"],
])("a name may hold %s: %j", (_what, name) => {
  expect(messagesFor(name)).toEqual([]);
});

test.each([
  ["", required],
  ["   ", required],
  ["\u3000\u2003", required],
  ["\u200b", required],
  ["\u00ad", required],
  ["\u200d\u200d", required],
  ["\ufe0f", required],
  ["\ufeff", required],
  ["\u3164\u115f\u1160\uffa0", required],
  ["\u2800", required],
  ["\u{e0067}\u{e007f}", required],
  ["a\u0000b", unshowable],
  ["two\nlines", unshowable],
  ["a\u007f", unshowable],
  ["a\u0085b", unshowable],
  ["a\u2028b", unshowable],
  ["\u202eevil", unshowable],
  ["a\u2066b\u2069", unshowable],
  ["a\u061cb", unshowable],
  ["soft\u00adhyphen", unshowable],
  ["a\u200bb", unshowable],
  ["a\u2060b", unshowable],
  ["\ufeffa", unshowable],
  ["a\u3164b", unshowable],
  ["admi\u200dn", unshowable],
  ["é\u200dé", unshowable],
  ["α\u200dβ", unshowable],
  ["д\u200cа", unshowable],
  ["adm\ufe0fin", unshowable],
  ["1\u200d2", unshowable],
  ["a\u200d", unshowable],
  ["\u200da", unshowable],
  ["a\u200d b", unshowable],
  ["a\u200d\u200db", unshowable],
  ["a\u200c", unshowable],
  ["☎\ufe0f\ufe01", unshowable],
  ["☎\u200d", unshowable],
  ["☎\u200d ☎", unshowable],
  ["☎\u200d\u200d☎", unshowable],
  ["a \ufe0f", unshowable],
  ["a\u{e0041}\u{e0042}", unshowable],
  ["🏴\u{e0065}\u{e0076}\u{e0069}\u{e006c}\u{e007f}", unshowable],
  ["\ufffd", unshowable],
  ["\ud800", required],
  ["a\udc00", unshowable],
  ["a\uffff", unshowable],
])("the name %j is refused: %s", (name, message) => {
  expect(messagesFor(name)).toEqual([message]);
});

test("a name that is too long is a fault of its field", () => {
  expect(nameViolations("owner_name", "x".repeat(101), 100)).toEqual([
    { path: "owner_name", message: "must have at most 100 characters" },
  ]);
});

test("control characters, line ends and direction marks are refused in any context", () => {
  const hidden = fc.constantFrom(...Array.from("\u0001\n\u0080\u2028\u2029\u200e\u200f\u202a\u202d\u2067\ufff9\ufffd"));
  const anything = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point));
  const around = fc.string({ unit: anything, maxLength: 20 });
  fc.assert(
    fc.property(around, hidden, around, (before, character, after) => {
      expect(messagesFor(before + character + after)).not.toEqual([]);
    }),
  );
});

test("an accepted name is well-formed and shows something", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      fc.pre(messagesFor(name).length === 0);
      expect(name.isWellFormed()).toBe(true);
      expect(name.replace(/[\p{Z}\p{Default_Ignorable_Code_Point}]/gu, "")).not.toBe("");
    }),
  );
});
