import fc from "fast-check";
import { expect, test } from "vitest";
import { isTokenValue, newTokenValue, tokenSha256 } from "./index.ts";

const bytes = fc.uint8Array({ minLength: 36, maxLength: 36 });

test("a new value is accepted, names its kind, and holds at least 32 random characters", () => {
  expect(newTokenValue(true)).toMatch(/^cvs_live_[0-9A-Za-z]{42}$/);
  expect(newTokenValue(false)).toMatch(/^cvs_test_[0-9A-Za-z]{42}$/);
  const values = Array.from({ length: 1000 }, () => newTokenValue(true));
  expect(values.every(isTokenValue)).toBe(true);
  expect(new Set(values).size).toBe(1000);
});

test("the checksum is the CRC-32 of all before it, so scanners can compute it themselves", () => {
  // CRC-32 of `cvs_live_` and 36 zeros, from an independent implementation: 0x2f9f6bfd.
  const value = newTokenValue(true, (size) => new Uint8Array(size));
  expect(value).toBe(`cvs_live_${"0".repeat(36)}0s4QQ9`);
});

test("any changed, lost or swapped character is noticed", () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      bytes,
      fc.nat({ max: 50 }),
      fc.string({ minLength: 1, maxLength: 1 }),
      (live, random, at, other) => {
        const value = newTokenValue(live, () => random.map((byte) => byte % 248));
        const wrong = value.slice(0, at) + other + value.slice(at + 1);
        expect(isTokenValue(wrong)).toBe(wrong === value);
        expect(isTokenValue(value.slice(0, at) + value.slice(at + 1))).toBe(false);
        const swapped = value.slice(0, at) + (value[at + 1] ?? "") + (value[at] ?? "") + value.slice(at + 2);
        expect(isTokenValue(swapped)).toBe(swapped === value);
      },
    ),
    { numRuns: 2000 },
  );
});

test("the kind cannot be changed by editing the prefix", () => {
  expect(isTokenValue(newTokenValue(false).replace("_test_", "_live_"))).toBe(false);
});

test("hostile texts are refused", () => {
  const value = newTokenValue(true);
  for (const text of ["", "cvs_live_", `${value}\n`, ` ${value}`, `${value}0`, value.toUpperCase(), "💥".repeat(51)]) {
    expect(isTokenValue(text)).toBe(false);
  }
});

test("bytes that would favour some characters are skipped", () => {
  const value = newTokenValue(true, (size) => new Uint8Array(size).map((_, index) => (index % 2 ? 255 : 10)));
  expect(value.slice(9, 45)).toBe("A".repeat(36));
});

test("the look-up key is the SHA-256", () => {
  expect(Buffer.from(tokenSha256("abc")).toString("hex")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
