import { expect, test } from "vitest";
import { leaveOutStyles } from "./leave-out-styles.ts";

function left(...selectors: string[]): string[] | null {
  let isRemoved = false;
  const rule = { selectors, remove: () => (isRemoved = true) };
  leaveOutStyles.Rule(rule);
  return isRemoved ? null : rule.selectors;
}

test("removes what no question draws, and keeps the rest of a rule", () => {
  expect(left(".sd-file__list", ".sd-root-modern .sd-tagbox:focus")).toBeNull();
  expect(left(".sd-input", ".sd-tagbox-item")).toEqual([".sd-input"]);
  expect(left(".sd-imagepicker", ".sd-filename", ".sd-element", "body")).toEqual([
    ".sd-imagepicker",
    ".sd-filename",
    ".sd-element",
    "body",
  ]);
});
