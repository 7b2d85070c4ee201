import { expect, test } from "vitest";
import { noteFaults } from "./publication-note.ts";

const tooLong = "must be text of at most 1000 characters";
const unstorable = "must not contain NUL characters or broken surrogate pairs";

test.each([
  ["", []],
  ["🙂".repeat(1000), []],
  ["x".repeat(1001), [tooLong]],
  ["a\0", [unstorable]],
  [`${"x".repeat(1001)}\ud800`, [tooLong, unstorable]],
])("what is wrong with a note is told whole", (note, messages) => {
  expect(noteFaults(note)).toEqual(messages.map((message) => ({ path: "note", message })));
});
