import fc from "fast-check";
import { expect, test } from "vitest";
import { responseText } from "./response-text.ts";

test("keeps text as it is, up to 256 bytes and whole characters", () => {
  expect(responseText(Buffer.from("thank you"))).toBe("thank you");
  expect(responseText(Buffer.from(`${"a".repeat(255)}é`))).toBe("a".repeat(255));
  expect(responseText(Buffer.from("é".repeat(200)))).toBe("é".repeat(128));
});

test("what a database refuses is replaced", () => {
  expect(responseText(Buffer.from([0x61, 0, 0xff, 0x62]))).toBe("a\uFFFD\uFFFDb");
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = responseText(bytes);
      expect(text).not.toContain("\0");
      expect(text.isWellFormed()).toBe(true);
    }),
  );
});
