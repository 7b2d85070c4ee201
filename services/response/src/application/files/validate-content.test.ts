import { expect, test } from "vitest";
import { validateContent } from "./validate-content.ts";

const anything = { maxBytes: 1_000, extensions: [] };
const png = { ext: "png", mime: "image/png" };
const exe = { ext: "exe", mime: "application/x-msdownload" };
const xml = { ext: "xml", mime: "application/xml" };

test.each([
  ["cup.txt", undefined],
  ["cup.txt", xml],
  ["cup.csv", { ext: "ics", mime: "text/calendar" }],
  ["cup.unheardof", png],
  ["cup", png],
])("%s is accepted with content of the type %j if the question accepts every type", (name, found) => {
  expect(validateContent(name, found, anything)).toMatch(/^[a-z]+\/[a-z.-]+$/);
});

test.each([
  ["cup.txt", png],
  ["cup.csv", exe],
  ["cup.html", exe],
  ["cup.jpg", png],
])("%s is refused with content of the type %j, even if the question accepts every type", (name, found) => {
  expect(() => validateContent(name, found, anything)).toThrow(
    expect.objectContaining({ code: "file_type_not_allowed", details: { content: found.ext } }),
  );
});
