import fc from "fast-check";

const firstSurrogate = 0xd800;
const surrogates = 0x800;

/**
 * The `unit` of strings of any characters but lone surrogates. fast-check's own, "binary", makes a map of all of them,
 * which takes a second and 120 MiB.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(0x10ffff - surrogates).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  (character) => {
    const code = typeof character === "string" ? (character.codePointAt(0) ?? -1) : -1;
    const isCharacter = code >= 0 && String.fromCodePoint(code) === character && character.isWellFormed();
    if (!isCharacter) throw new Error("not one character");
    return code < firstSurrogate ? code : code - surrogates;
  },
);
