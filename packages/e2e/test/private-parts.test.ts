import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { expect, test } from "vitest";

/** What a patch release of a library may rename: underscored fields, and symbols of its objects. */
const privatePart = /[?\w)\]]\._[a-zA-Z]|\[["']_[a-zA-Z]|getOwnPropertySymbols/;

test("no code uses private parts of a library", () => {
  const files = globSync("{gateway,services/*,packages/*}/src/**/*.ts", { cwd: WORKSPACE_ROOT });
  const found = files.flatMap((file) =>
    readFileSync(join(WORKSPACE_ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (privatePart.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
  expect(files.length).toBeGreaterThan(500);
});
