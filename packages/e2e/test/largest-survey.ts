import type { ApiClient, Json } from "../src/index.ts";

/** An added question, as the response shows it. */
export interface AddedQuestion {
  elementId: string;
  typeName: string;
  rows: { id: string }[];
  columns: { id: string; options: { id: string }[] }[];
}

const texts = (count: number, length = 1) => Array.from({ length: count }, (_, at) => `${at} `.padEnd(length, "x"));
const repeated = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

/** 50,000 cells each: five matrices of 50 x 4 x 50, and ten of 100 x 50. */
export const dropdownMatrix = {
  type: "dropdown_matrix",
  text: "Which?",
  rows: texts(50),
  columns: texts(4).map((text) => ({ text, options: texts(50) })),
};
const matrix = { type: "matrix", text: "Which ones?", multipleAnswers: true, rows: texts(100), columns: texts(50) };
const matrices = [...repeated(5, dropdownMatrix), ...repeated(10, matrix)];

const questionsAtMost = 1_000;
/**
 * With the matrices, these questions come close to the longest definition; 200 of them come close to the longest body.
 */
const long = { type: "dropdown", text: "Which one?", choices: texts(43, 36) };

/** Creates the largest survey in several calls: by questions, by cells and nearly by bytes. */
export async function createLargestSurvey(api: ApiClient): Promise<{ surveyId: string; matrices: AddedQuestion[] }> {
  // The survey has one page, so the first save completes the respondent.
  const settings = { collection: { editAfterSubmit: "always" } };
  const created = await api.post("/surveys", { name: "The largest", settings, questions: repeated(185, long) });
  const surveyId: string = created.data.id;
  const path = `/surveys/${surveyId}/questions`;
  const added = await api.post(path, { questions: matrices });
  for (let held = 200; held < questionsAtMost; held += 200) await api.post(path, { questions: repeated(200, long) });
  return { surveyId, matrices: added.data };
}

export const manyOversized = {
  name: "Oversized",
  questions: repeated(200, { ...dropdownMatrix, columns: texts(10).map((text) => ({ text, options: texts(50) })) }),
};

/** An answer to a dropdown matrix that chooses the option at `place` in every cell. */
export function answerOfOptions(question: AddedQuestion, place: number): Json {
  const row = Object.fromEntries(question.columns.map(({ id, options }) => [id, options[place]!.id]));
  return Object.fromEntries(question.rows.map(({ id }) => [id, row]));
}

/** An answer to a matrix that chooses all columns of all rows. */
export function answerOfAllColumns(question: AddedQuestion): Json {
  const columns = question.columns.map(({ id }) => id);
  return Object.fromEntries(question.rows.map(({ id }) => [id, columns]));
}

/** The counts of a matrix whose every cell was chosen `count` times. */
export function countsOfAllCells(question: AddedQuestion, count: number): Json {
  const counts = (list: { id: string }[]) => Object.fromEntries(list.map(({ id }) => [id, count]));
  const row =
    question.typeName === "matrix"
      ? counts(question.columns)
      : Object.fromEntries(question.columns.map(({ id, options }) => [id, counts(options)]));
  return { rows: Object.fromEntries(question.rows.map(({ id }) => [id, row])) };
}
