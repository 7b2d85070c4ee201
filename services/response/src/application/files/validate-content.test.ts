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
])("%s may hold what the first bytes tell, where a question takes everything", (name, found) => {
  expect(validateContent(name, found, anything)).toMatch(/^[a-z]+\/[a-z.-]+$/);
});

test.each([
  ["cup.txt", png],
  ["cup.csv", exe],
  ["cup.html", exe],
  ["cup.jpg", png],
])("%s may not hold another type, even there", (name, found) => {
  expect(() => validateContent(name, found, anything)).toThrow(
    expect.objectContaining({ code: "file_type_not_allowed", details: { content: found.ext } }),
  );
});
