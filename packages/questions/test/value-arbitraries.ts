import { isBlank } from "@canvass/values";
import * as fc from "fast-check";
import type { Question } from "../src/definition.ts";
import { idsOf, sampleQuestion } from "./sample-question.ts";

/** A question and the values it accepts. */
export type Answerable = { question: Question; values: fc.Arbitrary<unknown> };

const one = (list: readonly { id: string }[] | undefined) => fc.constantFrom(...idsOf(list));
const some = (list: readonly { id: string }[] | undefined) => fc.subarray(idsOf(list), { minLength: 1 });
const record = (keys: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc
    .subarray([...keys], { minLength: 1 })
    .chain((chosen) => fc.tuple(...chosen.map((key) => fc.tuple(fc.constant(key), value))))
    .map(Object.fromEntries);
const text = fc.string({ unit: "grapheme", maxLength: 50 });
const filled = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 50 }).filter((value) => !isBlank(value));
const decimal = fc
  .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 9 }))
  .map(([n, d]) => n / 10 ** d);

function choiceAnswers(type: string): Answerable {
  const question = sampleQuestion(type, {
    choices: ["A", "B", { text: "C", ...(type === "multiple_choice" && { freeText: true }) }],
    multipleAnswers: true,
    typeSettings: { other: { enabled: true }, minSelections: 0 },
  });
  const { choiceId } = question.typeSettings["other"] as { choiceId: string };
  const other = filled.map((otherText) => [{ choiceId, otherText }]);
  const chosen = some(question.choices);
  return {
    question,
    values: fc.oneof(
      fc.constant([]),
      chosen,
      other,
      fc.tuple(chosen, other).map(([a, b]) => [...a, ...b]),
    ),
  };
}

function answerable(
  type: string,
  fields: Record<string, unknown>,
  values: (question: Question) => fc.Arbitrary<unknown>,
): Answerable {
  const question = sampleQuestion(type, fields);
  return { question, values: values(question) };
}

const rows = ["R1", "R2"];
const columns = ["C1", "C2"];

/** A question of every type that takes answers, with values it accepts. */
export const answerables: Record<string, Answerable> = {
  short_text: answerable("short_text", {}, () => text),
  long_text: answerable("long_text", {}, () => text),
  number: answerable("number", {}, () =>
    fc.oneof(
      decimal,
      fc.double({ min: -1e15, max: 1e15, noNaN: true }),
      fc.maxSafeInteger().filter((n) => Math.abs(n) <= 1e15),
    ),
  ),
  multiple_choice: choiceAnswers("multiple_choice"),
  dropdown: answerable("dropdown", {}, ({ choices }) => one(choices)),
  image_choice: choiceAnswers("image_choice"),
  yes_no: answerable("yes_no", {}, () => fc.boolean()),
  rating: answerable("rating", { typeSettings: { steps: 6 } }, () => fc.integer({ min: 1, max: 6 })),
  nps: answerable("nps", {}, () => fc.integer({ min: 0, max: 10 })),
  slider: answerable("slider", { typeSettings: { step: 0.1 } }, () =>
    fc.integer({ min: 0, max: 1_000 }).map((n) => n / 10),
  ),
  date_time: answerable("date_time", {}, () =>
    fc
      .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
  ),
  matrix: answerable("matrix", { rows, columns, multipleAnswers: true }, (question) =>
    record(idsOf(question.rows), some(question.columns)),
  ),
  dropdown_matrix: answerable(
    "dropdown_matrix",
    { rows, columns: [{ text: "C", options: ["O1", "O2"] }] },
    (question) => {
      const [column] = question.columns ?? [];
      const option = fc.oneof(one(column?.options), fc.constant(""));
      return record(
        idsOf(question.rows),
        option.map((id) => ({ [column?.id ?? ""]: id })),
      );
    },
  ),
  ranking: answerable("ranking", { choices: ["A", "B", "C"] }, ({ choices }) =>
    fc.shuffledSubarray(idsOf(choices), { minLength: 3 }),
  ),
  constant_sum: answerable("constant_sum", { choices: ["A", "B", "C"], typeSettings: { total: null } }, ({ choices }) =>
    record(
      idsOf(choices),
      fc.integer({ min: 0, max: 1e8 }).map((n) => n / 100),
    ),
  ),
  file_upload: answerable("file_upload", { typeSettings: { maxFiles: 3 } }, () =>
    fc
      .uniqueArray(filled, { minLength: 1, maxLength: 3 })
      .map((ids) => ids.map((fileId) => ({ fileId, name: "a.txt", size: 1, mimeType: "text/plain" }))),
  ),
  consent: answerable("consent", {}, () => fc.boolean()),
  contact_info: answerable("contact_info", {}, () => record(["firstName", "lastName"], filled)),
  form: answerable("form", { rows: ["Street", { text: "Flats", format: "number" }] }, ({ rows }) =>
    fc.record({ [rows![0]!.id]: filled, [rows![1]!.id]: decimal }, { requiredKeys: [rows![0]!.id] }),
  ),
};
