import fc from "fast-check";
import { expect, test } from "vitest";
import { countingIds, distributionOf, idsOf, sampleQuestion } from "../test/sample-question.ts";
import { questionFields } from "../test/settings-arbitraries.ts";
import { questionTypeOf, questionTypes } from "./catalogue.ts";
import { parseTimestamp } from "./dates.ts";
import type { Question } from "./definition.ts";
import { applyElementSettings } from "./element-settings.ts";
import { mergeVersions } from "./merge-versions.ts";
import { buildQuestions } from "./new-questions.ts";
import type { ExportColumn, QuestionCell } from "./question-type.ts";
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

test("a question that lost its Other, or has another one, still has the answers that chose it", () => {
  const choices = ["A", "B"];
  const old = sampleQuestion("multiple_choice", { choices, typeSettings: { other: { enabled: true } } });
  const { choiceId } = old.typeSettings["other"] as { choiceId: string };
  const value = { choiceId, otherText: "Elsewhere" };
  for (const other of [null, "another000000001"]) {
    const now = { ...old, typeSettings: { other: { enabled: other !== null, label: "Other", choiceId: other } } };
    const merged = mergeVersions([old, now]);
    expect(multipleChoice.exportCells(merged, value).filter((cell) => cell !== null)).toEqual([choiceId, "Elsewhere"]);
    expect(multipleChoice.exportColumns(merged)[0]!.values.map(({ id }) => id)).toContain(choiceId);
  }
});

const givenFiles = [{ fileId: "f", name: "a.pdf", size: 1, mimeType: "application/pdf" }];

/** What the cells of a value tell, in whatever columns: chosen entries and other contents, with their places. */
function contentsOf(question: Question, value: unknown): string[] {
  const type = questionTypeOf(question);
  const cells = type.exportCells(question, value);
  return type.exportColumns(question).flatMap((column, index) => {
    const cell = cells[index] ?? null;
    if (cell === null) return [];
    expect([column.kind, cell, fits(column, cell)]).toEqual([column.kind, cell, true]);
    const place = [...(column.part?.path ?? []), ...(column.about ? [column.about] : [])].map(({ id }) => id);
    // A choice that was not chosen tells that there is an answer.
    return [[...place, cell === 0 && column.chosen ? "answered" : (column.chosen?.id ?? String(cell))].join(" ")];
  });
}

/** Whether a format that has columns of this kind can write the cell. */
function fits({ kind, values }: ExportColumn, cell: QuestionCell): boolean {
  if (kind === "text" || kind === "number") return typeof cell === (kind === "text" ? "string" : "number");
  if (kind === "list") return Array.isArray(cell);
  return kind === "value" ? values.some(({ id }) => id === cell) : parseTimestamp(kind, String(cell)) !== null;
}

test.each(questionTypes.filter(({ answerable }) => answerable).map((type) => [type.typeName, type] as const))(
  "merged versions of %s hold all that a version holds of its answers",
  (name, type) => {
    const versions = questionFields[name]!.map((fields) => {
      // Ids that count up are the same in all versions, so that entries come, go and change.
      const result = buildQuestions([{ type: name, text: "What?", ...fields }], countingIds());
      return "violations" in result ? undefined : result.questions[0]!.question;
    }).filter((question) => question !== undefined);
    const some = fc.array(versions, { minLength: 2, maxLength: 4 });
    const seeds = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 3, maxLength: 30 });
    const property = fc.property(some, seeds, (all, seed) => {
      const merged = mergeVersions(all as [Question, ...Question[]]);
      let drawn = 0;
      for (const question of all) {
        const value = type.fileIds ? givenFiles : type.sample(question, () => seed[(drawn += 1) % seed.length]!);
        if (value === undefined) continue;
        const told = contentsOf(question, value);
        expect(told).not.toEqual([]);
        expect(contentsOf(merged, value)).toEqual(expect.arrayContaining(told));
      }
    });
    fc.assert(property, { numRuns: 200 });
  },
);
