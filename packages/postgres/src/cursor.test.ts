import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCursorCodec } from "./cursor.ts";

const codec = createCursorCodec(randomBytes(32).toString("base64"));
const binding = ["surveys", "workspace", true, null];

test("any position can be read only under its own binding", () => {
  const position = fc.array(
    fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  );
  fc.assert(
    fc.property(position, (values) => {
      // JSON has no negative zero.
      const expected = values.map((value) => (Object.is(value, -0) ? 0 : value));
      const cursor = codec.encode(binding, values);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(codec.decode(binding, cursor)).toEqual(expected);
      expect(codec.decode([...binding, "more"], cursor)).toBeUndefined();
      expect(codec.decode(["surveys", "workspace,true", null], cursor)).toBeUndefined();
    }),
  );
});

test("every single changed, added or missing character is noticed", () => {
  const cursor = codec.encode(binding, [1_700_000_000_000, "abcdefgh12345678"]);
  for (let at = 0; at < cursor.length; at += 1) {
    for (const other of ["A", "B", "_", "=", " ", "é"]) {
      const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
      if (changed !== cursor) expect(codec.decode(binding, changed)).toBeUndefined();
      expect(codec.decode(binding, cursor.slice(0, at) + other + cursor.slice(at))).toBeUndefined();
    }
    expect(codec.decode(binding, cursor.slice(0, at) + cursor.slice(at + 1))).toBeUndefined();
  }
  for (const foreign of ["", "x", "null", "{}", "a".repeat(100_000)]) {
    expect(codec.decode(binding, foreign)).toBeUndefined();
  }
});

test("another key reads nothing, and a short key is refused", () => {
  const other = createCursorCodec(randomBytes(32).toString("base64"));
  expect(other.decode(binding, codec.encode(binding, ["a"]))).toBeUndefined();
  expect(() => createCursorCodec("c2hvcnQ=")).toThrow(/32 bytes/);
});

test("of several keys the first makes cursors, and all read them", () => {
  const [former, newer] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
  const both = createCursorCodec(`${newer},${former}`);
  expect(both.decode(binding, createCursorCodec(former).encode(binding, ["a"]))).toEqual(["a"]);
  expect(createCursorCodec(newer).decode(binding, both.encode(binding, ["b"]))).toEqual(["b"]);
  expect(createCursorCodec(former).decode(binding, both.encode(binding, ["b"]))).toBeUndefined();
});
