import { anyCharacter } from "@canvass/testing/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fileName } from "./file-name.ts";

test.each([
  ["Müller's €.csv", "Müller's €.csv"],
  ["../a\\b/c.csv", ".._a_b_c.csv"],
  ["gpj\u202efdp.csv", "gpj_fdp.csv"],
  ["half \ud83d.csv", "half \ufffd.csv"],
  ["line\r\nbreak\u0000.csv", "line__break_.csv"],
  [`${"a".repeat(300)}.csv`, `${"a".repeat(251)}.csv`],
  [`${"€".repeat(300)}.csv`, `${"€".repeat(83)}.csv`],
  [`a.${"b".repeat(300)}`, `a.${"b".repeat(253)}`],
  ["\ufeffa.csv", "\ufeffa.csv"],
])("%j is saved as %j", (name, saved) => {
  expect(fileName(name)).toBe(saved);
});

test("every name is well formed and short, and unchanged when applied again", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (name) => {
      const saved = fileName(name);
      expect([saved.isWellFormed(), Buffer.byteLength(saved) <= 255, fileName(saved)]).toEqual([true, true, saved]);
    }),
  );
});
