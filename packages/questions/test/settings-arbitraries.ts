import * as fc from "fast-check";
import { fieldFormats } from "../src/definition.ts";
import { textFormats } from "../src/formats.ts";

/** The fields of a new question. Combinations that the API refuses are among them. */
type Fields = fc.Arbitrary<Record<string, unknown>>;

const fields = (settings: Record<string, fc.Arbitrary<unknown>>, lists: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record({ ...lists, typeSettings: fc.record(settings, { requiredKeys: [] }) });
const names = (most: number) =>
  fc.integer({ min: 1, max: most }).map((count) => Array.from({ length: count }, (_, index) => `Entry ${index + 1}`));
const marked = (most: number, marks: readonly string[]) =>
  fc
    .array(fc.subarray([...marks]), { minLength: 1, maxLength: most })
    .map((all) =>
      all.map((own, index) => ({ text: `Entry ${index + 1}`, ...Object.fromEntries(own.map((mark) => [mark, true])) })),
    );
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values);
const flag = fc.boolean();
const count = maybe(fc.integer({ min: 1, max: 8 }));
const limit = fc.oneof(
  fc.integer({ min: -200, max: 200 }),
  fc.integer({ min: -20_000, max: 20_000 }).map((n) => n / 1_000),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }),
);
const choiceFields = fc.boolean().chain((multipleAnswers) =>
  fields(
    {
      other: fc.record({ enabled: flag }),
      shuffle: flag,
      ...(multipleAnswers && { minSelections: fc.oneof(fc.constant(0), count), maxSelections: count }),
    },
    { choices: marked(9, ["exclusive", "pinned"]), multipleAnswers: fc.constant(multipleAnswers), required: flag },
  ),
);
const part = fc.record({ show: flag, required: flag });
const partNames = ["firstName", "lastName", "email", "phone", "company", "addressLine2", "postalCode", "country"];
const day = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
const timestamps = {
  date: day.map((date) => date.toISOString().slice(0, 10)),
  time: day.map((date) => date.toISOString().slice(11, 16)),
  datetime: day.map((date) => date.toISOString()),
};
const dateFields = (Object.keys(timestamps) as (keyof typeof timestamps)[]).map((mode) =>
  fields({ min: maybe(timestamps[mode]), max: maybe(timestamps[mode]) }).map(({ typeSettings }) => ({
    typeSettings: { ...(typeSettings as object), mode },
  })),
);
const size = fc.integer({ min: 1, max: 60 });

/** For each type the fields of its questions: lists and settings, at random. */
export const questionFields: Record<string, Fields> = {
  short_text: fields({ minLength: size, maxLength: fc.oneof(size, fc.integer({ min: 1, max: 4_000 })) }),
  long_text: fields({ minLength: fc.nat(50_000), maxLength: fc.integer({ min: 1, max: 50_000 }) }),
  number: fields({ min: maybe(limit), max: maybe(limit) }),
  multiple_choice: choiceFields,
  dropdown: fields({}, { choices: names(60) }),
  image_choice: choiceFields,
  yes_no: fields({}),
  rating: fields({ steps: fc.integer({ min: 2, max: 10 }) }),
  nps: fields({}),
  slider: fields({
    min: limit,
    max: limit,
    step: fc.oneof(fc.constantFrom(0.1, 0.25, 3, 1e-9), fc.double({ min: 1e-9, max: 1e3, noNaN: true })),
  }),
  date_time: fc.oneof(...dateFields),
  matrix: fields({ multiple: flag, eachRowRequired: flag }, { rows: names(8), columns: names(8) }),
  dropdown_matrix: fields(
    { eachRowRequired: flag },
    { rows: names(6), columns: names(3).map((texts) => texts.map((text) => ({ text, options: ["A", "B", "C"] }))) },
  ),
  ranking: fields({ rankAll: flag }, { choices: names(12) }),
  constant_sum: fields(
    { total: maybe(fc.integer({ min: 1, max: 1e8 }).map((hundredths) => hundredths / 100)) },
    { choices: names(12) },
  ),
  file_upload: fields({
    maxFiles: fc.integer({ min: 1, max: 20 }),
    maxSizeMb: fc.double({ min: 0.001, max: 1_024, noNaN: true }),
    extensions: fc.subarray(["pdf", "PNG", "txt"]),
  }),
  consent: fields({ mustAccept: flag }),
  contact_info: fields({
    parts: fc.record(Object.fromEntries(partNames.map((name) => [name, part])), { requiredKeys: [] }),
  }),
  statement: fields({}),
  form: fields(
    {},
    {
      rows: fc.array(
        fc.record({
          text: fc.constantFrom("Street", "Town"),
          format: fc.constantFrom("text", ...fieldFormats),
          required: flag,
        }),
        { minLength: 1, maxLength: 5 },
      ),
    },
  ),
};

/** Settings that not every sample can meet: patterns and formats with lengths, decimals between close limits. */
export const narrowFields: Record<string, Fields> = {
  short_text: fields({
    minLength: size,
    maxLength: fc.integer({ min: 1, max: 300 }),
    format: fc.constantFrom(null, ...textFormats),
    pattern: fc.constantFrom(null, "^[A-Z]{2}-?\\d{4}$", "^\\d{5}$", "[a-z]", "^(x|y)z$"),
  }),
  number: fields({ min: limit, max: limit, decimals: fc.integer({ min: 0, max: 9 }) }),
};
