import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { expect, test } from "vitest";

/** What a patch release of a library may rename: underscored fields, and symbols of its objects. */
const privatePart = /[?\w)\]]\._[a-zA-Z]|\[["']_[a-zA-Z]|getOwnPropertySymbols/;

/** A prototype, by which code replaces methods of a library's class. Not JavaScript's own, nor spies of tests. */
const patchedClass = /(?<!\b(?:Array|String|Object|Document)|spyOn\(\w+)\.prototype\b|[{,] prototype\b[^:(]*\}/;

const isFound = (line: string) => privatePart.test(line) || patchedClass.test(line);

test("no code uses private parts of a library, or patches its classes", () => {
  const files = globSync("{gateway,services/*,packages/*}/src/**/*.{ts,tsx}", { cwd: WORKSPACE_ROOT });
  const found = files.flatMap((file) =>
    readFileSync(join(WORKSPACE_ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (isFound(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
  expect(files.length).toBeGreaterThan(500);
});

test.each([
  "const list = SurveyQuestionRanking.prototype as unknown as DrawnList;",
  "Object.defineProperty(QuestionSliderModel.prototype, name, { get });",
  'QuestionTextModel.prototype["isTextValue"] = () => true;',
  "const { prototype } = QuestionSelectBase;",
  "for (const { prototype } of [QuestionSliderModel, FileQuestion]) change(prototype);",
  "client._pool.end();",
])("%s is found", (line) => expect(isFound(line)).toBe(true));

test.each([
  "const make = Document.prototype.createElement;",
  'standIn(Array.prototype, "toSorted", toSorted);',
  '  const parsed = vi.spyOn(Composer.prototype, "next");',
  'if (Object.hasOwn(member, "prototype")) return;',
])("%s is allowed", (line) => expect(isFound(line)).toBe(false));
