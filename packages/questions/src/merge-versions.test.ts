import { expect, test } from "vitest";
import { distributionOf, idsOf, sampleQuestion } from "../test/sample-question.ts";
import { applyElementSettings } from "./element-settings.ts";
import { mergeVersions } from "./merge-versions.ts";
import { contactInfo } from "./types/contact-info.ts";
import { multipleChoice } from "./types/multiple-choice.ts";

test("one version is itself", () => {
  const question = sampleQuestion("rating");
  expect(mergeVersions([question])).toEqual(question);
});

test("choices of older versions stay visible, retired, after the present ones", () => {
  const old = sampleQuestion("multiple_choice", { choices: ["A", "B"] });
  const [a = "", b = ""] = idsOf(old.choices);
  const result = applyElementSettings(
    old,
    { settings: { choices: ["C", { id: b, text: "B!" }] }, questionText: "Now?" },
    { newId: () => "newchoice0000001", isAnswered: () => false },
  );
  if ("violations" in result) throw new Error("not accepted");
  const merged = mergeVersions([old, result.question]);
  expect(merged.text).toBe("Now?");
  expect(merged.choices).toEqual([
    { id: "newchoice0000001", text: "C", retired: false },
    { id: b, text: "B!", retired: false },
    { id: a, text: "A", retired: true },
  ]);
  expect(multipleChoice.exportCells(merged, a)).toEqual([a]);
  expect(distributionOf(merged, [a, b])).toEqual({ counts: { newchoice0000001: 0, [b]: 1, [a]: 1 } });
});

test("options of a column and shown contact parts are merged too", () => {
  const old = sampleQuestion("dropdown_matrix", { columns: [{ text: "C", options: ["O", "P"] }] });
  const now = structuredClone(old);
  now.columns?.[0]?.options?.pop();
  expect(mergeVersions([old, now]).columns?.[0]?.options?.map(({ text, retired }) => [text, retired])).toEqual([
    ["O", false],
    ["P", true],
  ]);
  const names = sampleQuestion("contact_info");
  const city = sampleQuestion("contact_info", {
    typeSettings: { parts: { city: { show: true }, phone: { show: false } } },
  });
  const columns = contactInfo.exportColumns(mergeVersions([names, city])).map(({ text }) => text);
  expect(columns).toEqual(["What?: First name", "What?: Last name", "What?: E-mail", "What?: Phone", "What?: City"]);
});
