import type { QuestionMultipleTextModel } from "survey-core";
import { plainText } from "./formatted-texts.ts";
import { numberAnswer, shownNumber } from "./numbers.ts";
import { heading, items, sameValue, type Data, type MappedType } from "./mapped-type.ts";

/** Stands for the choice (None), because SurveyJS treats "" as no answer. Ids contain no hyphen, so it cannot clash. */
const none = "no-option";

const isFilled = (cell: unknown) =>
  cell !== undefined && cell !== null && cell !== "" && !(Array.isArray(cell) && cell.length === 0);

function filledCells(cells: unknown, write: (cell: unknown) => unknown): Record<string, unknown> | undefined {
  const filled = Object.entries((cells ?? {}) as Record<string, unknown>).flatMap(([id, cell]) => {
    const value = isFilled(cell) ? write(cell) : undefined;
    return value === undefined ? [] : [[id, value] as const];
  });
  return filled.length > 0 ? Object.fromEntries(filled) : undefined;
}

const mapValues = (cells: unknown, write: (cell: unknown) => unknown) =>
  Object.fromEntries(Object.entries(cells ?? {}).map(([id, cell]) => [id, write(cell)]));

export const matrix: MappedType = {
  hasRadios: true,
  draw: (question, name) => ({
    ...heading(question, name),
    type: "matrix",
    cellType: question.settings["multiple"] ? "checkbox" : "radio",
    rows: items(question.rows),
    columns: items(question.columns),
    eachRowRequired: question.settings["eachRowRequired"],
    alternateRows: true,
  }),
  toData: sameValue.toData,
  toValue: (data, name) => filledCells(data[name], (cell) => cell),
};

export const dropdownMatrix: MappedType = {
  draw: (question, name, words) => ({
    ...heading(question, name),
    type: "matrixdropdown",
    rows: items(question.rows),
    columns: (question.columns ?? []).map(({ id, text, options }) => ({
      name: id,
      title: text,
      cellType: "dropdown",
      choices: [...items(options), { value: none, text: words.none }],
    })),
  }),
  toData: (value, name) => ({
    [name]: mapValues(value, (row) => mapValues(row, (option) => (option === "" ? none : option))),
  }),
  toValue: (data, name) =>
    filledCells(data[name], (row) => filledCells(row, (option) => (option === none ? "" : option))),
};

export const constantSum: MappedType = {
  draw: (question, name) => ({
    ...heading(question, name),
    type: "multipletext",
    items: (question.choices ?? []).map(({ id, text }) => ({
      name: id,
      title: text,
      inputType: "text",
    })),
  }),
  toData: (value, name) => ({ [name]: mapValues(value, shownNumber) }),
  toValue: (data, name) => filledCells(data[name], numberAnswer),
  follow(drawn, data, question, words) {
    const total = question.settings["total"] as number | null;
    if (total === null) return;
    const text = words.sum(sumOf(data, drawn.name), total);
    (drawn as QuestionMultipleTextModel).description = [plainText(question, question.helpText ?? ""), text]
      .filter(Boolean)
      .join(" ");
  },
};

function sumOf(data: Data, name: string): number {
  const amounts = Object.values((data[name] ?? {}) as Record<string, unknown>).map(numberAnswer);
  const hundredths = amounts
    .filter((each) => typeof each === "number")
    .reduce((sum, amount) => sum + Math.round(amount * 100), 0);
  return hundredths / 100;
}
