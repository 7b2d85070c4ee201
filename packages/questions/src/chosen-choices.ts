import { type Violation, joinPath } from "@canvass/inputs";
import { isJsonObject } from "@canvass/values";
import type { ExportCell, ExportColumn } from "./question-type.ts";
import { choiceViolation, choicesById } from "./choice-list.ts";
import type { Choice, Question } from "./definition.ts";
import {
  besideColumn,
  chosenColumns,
  chosenMarks,
  entryCellFormat,
  nameOf,
  oneColumn,
  textCellFormat,
} from "./export-cells.ts";
import { checkText } from "./plain-text.ts";
import { perQuestion } from "./type-settings.ts";

/** The choice Other. `choiceId` is null until Other is first enabled, then permanent. */
export type OtherChoice = { enabled: boolean; label: string; choiceId: string | null; code?: string | null };

const longestOther = 1_000;

/** Choices by id, including Other, which counts as retired while it is disabled. */
export const choicesAndOtherById = perQuestion((question): ReadonlyMap<string, Choice> => {
  const other = otherOf(question);
  if (!other?.choiceId) return choicesById(question);
  const { choiceId: id, label: text, code, enabled } = other;
  const choice = { id, text, ...(code && { code }), freeText: true, retired: !enabled };
  return new Map([...choicesById(question), [id, choice]]);
});

export function otherOf(question: Question): OtherChoice | undefined {
  return question.typeSettings["other"] as OtherChoice | undefined;
}

export function choicesAndOther(question: Question): Choice[] {
  return [...choicesAndOtherById(question).values()];
}

/** Choices that take a text, Other as the last. */
export const choicesWithText = perQuestion((question) => choicesAndOther(question).filter(({ freeText }) => freeText));

/** Accepts a bare id or `{choiceId, otherText}`; undefined for other values. */
export function chosenId(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  const id = isJsonObject(entry) ? entry["choiceId"] : undefined;
  return typeof id === "string" ? id : undefined;
}

export function entriesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}

export function checkEntry(
  question: Question,
  entry: unknown,
  path: string,
  allowRetired: boolean | undefined,
  violations: Violation[],
): void {
  const choices = choicesAndOtherById(question);
  if (!isJsonObject(entry)) {
    const violation = choiceViolation(choices, entry, "a choice", allowRetired);
    if (violation) violations.push({ path, message: violation });
    return;
  }
  const violation = choiceViolation(choices, entry["choiceId"], "a choice", allowRetired);
  if (violation) violations.push({ path: joinPath(path, "choiceId"), message: violation });
  const textPath = joinPath(path, "otherText");
  // An existing answer keeps the text of a choice that took one.
  if (!violation && !allowRetired && !choices.get(entry["choiceId"] as string)?.freeText) {
    violations.push({ path: textPath, message: "can only accompany Other or a choice with freeText" });
  } else {
    for (const { message } of checkText(entry["otherText"], 1, longestOther))
      violations.push({ path: textPath, message });
  }
  for (const key of Object.keys(entry).slice(0, 10)) {
    if (key !== "choiceId" && key !== "otherText")
      violations.push({ path: joinPath(path, key), message: "is not a known field" });
  }
}

export function chosenInOrder(question: Question, value: unknown): string[] {
  const chosen = new Set(entriesOf(value).map(chosenId));
  return choicesAndOther(question)
    .map((choice) => choice.id)
    .filter((id) => chosen.has(id));
}

export function choiceColumns(question: Question, several: boolean): ExportColumn[] {
  const choices = choicesAndOther(question);
  const columns = several ? chosenColumns(question, [], choices) : oneColumn(question, entryCellFormat(choices));
  const other = otherOf(question)?.choiceId;
  const texts = choicesWithText(question).map((choice): ExportColumn => {
    const part = choice.id === other ? "otherText" : `${choice.id}.otherText`;
    return { ...besideColumn(question, part, `${choice.text} (text)`, textCellFormat), about: nameOf(choice) };
  });
  return [...columns, ...texts];
}

/** Also accepts single answers from a time when the question did not allow several. */
export function choiceCells(question: Question, value: unknown, several: boolean): ExportCell[] {
  const entries = entriesOf(value);
  const chosen = entries.map(chosenId).filter((id) => id !== undefined);
  const isAnswer = chosen.length > 0 || Array.isArray(value);
  const cells = several
    ? chosenMarks(choicesAndOtherById(question).keys(), isAnswer ? new Set(chosen) : null)
    : [chosen[0] ?? null];
  return [...cells, ...choicesWithText(question).map(({ id }) => textOf(entries, id))];
}

function textOf(entries: readonly unknown[], choiceId: string): string | null {
  for (const entry of entries) {
    if (isJsonObject(entry) && entry["choiceId"] === choiceId && typeof entry["otherText"] === "string")
      return entry["otherText"];
  }
  return null;
}
