import { expect, test } from "vitest";
import { isLinkCode, newLinkCode } from "./link-code.ts";

test("codes are distinguished from other text, and are unique", () => {
  const codes = Array.from({ length: 1_000 }, newLinkCode);
  expect(new Set(codes).size).toBe(1_000);
  expect(codes.every(isLinkCode)).toBe(true);
  for (const text of ["", "x", `${codes[0]}x`, `${codes[0]!.slice(1)}-`, `${codes[0]!.slice(1)}\0`]) {
    expect(isLinkCode(text)).toBe(false);
  }
});
