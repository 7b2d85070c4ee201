import { expect, test } from "vitest";
import { plotOf } from "./plot.ts";

/** The words and the height of a plot with a bar for each label. */
function drawn(...labels: string[]): { words: string; height: number } {
  const bars = labels.map((label) => ({ label, value: 0 }));
  const svg = plotOf({ kind: "bars", measure: "Respondents", bars }, "A question");
  const lines = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, line]) => line!.trim());
  return { words: lines.join(" "), height: Number(/viewBox="0 0 \d+ (\d+)"/.exec(svg)![1]) };
}

test("labels of bars wrap, and a bar has room for them", () => {
  const long = "Rather satisfied with the opening hours";
  expect(drawn(long).words).toBe(long);
  expect(drawn(long).height).toBeGreaterThan(drawn("Satisfied").height);
});

test("a label of more than three lines is cut and ends with an ellipsis, in any script", () => {
  expect(drawn("word ".repeat(40)).words).toMatch(/^(word )+\w*…$/);
  expect(drawn("長い".repeat(100)).words.replaceAll(" ", "")).toMatch(/^(長い)+長?…$/);
  expect(drawn("word ".repeat(40)).height).toBe(drawn("word ".repeat(400)).height);
});

test("thirty bars with long labels are as high as with short ones, to fit a page of paper", () => {
  const [long, short] = ["Rather satisfied with the opening hours", "Satisfied"].map((label) =>
    drawn(...Array<string>(30).fill(label)),
  );
  expect(long!.height).toBe(short!.height);
});
