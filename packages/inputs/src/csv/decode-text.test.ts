import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeText } from "./decode-text.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");

test("a file of one-byte characters without a charset is Windows-1252", () => {
  expect(decodeText(latin1("José\nplain\nMüller"))).toBe("José\nplain\nMüller");
});

test("a file that is UTF-8 but for single bytes stays UTF-8, and loses these alone", () => {
  expect(decodeText(Buffer.concat([Buffer.from("José\n"), latin1("Jos\xe9\n"), Buffer.from("Łukasz")]))).toBe(
    "José\nJos\uFFFD\nŁukasz",
  );
});

test("a byte order mark decides, else the declared charset", () => {
  expect(decodeText(Buffer.from([0xa3, 0x75, 0x6b]), "windows-1250")).toBe("Łuk");
  expect(decodeText(Buffer.from([0x93, 0x63]), "shift_jis")).toBe("田");
  expect(decodeText(Buffer.from("Jos\xe9", "latin1"), "UTF8")).toBe("Jos\uFFFD");
  expect(decodeText(Buffer.from("\uFEFFŁuk"), "windows-1250")).toBe("Łuk");
  expect(decodeText(Buffer.from("\uFEFFŁuk", "utf16le"), "windows-1250")).toBe("Łuk");
});

test("UTF-8 text is read unchanged, with and without a byte order mark", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.boolean(), (text, marked) => {
      const plain = text.replace(/^\uFEFF/, "");
      expect(decodeText(Buffer.from(marked ? `\uFEFF${plain}` : plain))).toBe(plain);
    }),
  );
});
