import { type Violation, violationAt, violationsBelow, joinPath, noViolations } from "@canvass/inputs";
import { isBlank, isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import { Type, type TSchema } from "typebox";
import { choiceViolation, countsByChoice, rowsById, withoutRetired } from "../choice-list.ts";
import { textPartConditions } from "../conditions/targets.ts";
import { parseTimestamp } from "../dates.ts";
import type { Choice } from "../definition.ts";
import { amountCellFormat, nameOf, partColumn, textCellFormat } from "../export-cells.ts";
import { formatViolation } from "../formats.ts";
import { checkText, isNull } from "../plain-text.ts";
import type { ExportCell, CellFormat, QuestionType } from "../question-type.ts";
import { pick, type Random } from "../samples/random.ts";
import { samplePerson } from "../samples/sample-person.ts";
import { settingsObject } from "../type-settings.ts";

const settings = settingsObject({});
const longestField = 1_000;
const mostViolations = 100;

export const form: QuestionType<typeof settings> = {
  number: 20,
  typeName: "form",
  summary: "Several named fields at once (`rows`), each with a format: text, email, url, phone, number or date.",
  answerable: true,
  isPersonal: true,
  settings,
  lists: { rows: { max: 30, fields: true, showIf: true } },
  shorthands: {},
  valueSchema: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()], { title: "FieldValue" }), {
    description: "entered values by field id: a number if the format is number, otherwise text",
  }),
  answerSchema: ({ rows = [] }) =>
    Type.Object(Object.fromEntries(rows.map((field) => [field.id, Type.Optional(fieldSchema(field))])), {
      additionalProperties: false,
      minProperties: 1,
    }),
  distributionShape: "parts",
  conditions: textPartConditions,

  settingEffects: () => ({}),

  checkValue(question, value, context) {
    if (!isJsonObject(value)) return violationAt("", "must be an object of field ids");
    const fields = rowsById(question);
    const violations: Violation[] = [];
    for (const id of Object.keys(value)) {
      if (violations.length > mostViolations) return violations;
      const path = joinPath("", id);
      const unknown = choiceViolation(fields, id, "a field", context?.allowRetired);
      if (unknown) violations.push({ path, message: unknown });
      else violations.push(...violationsBelow(path, fieldViolations(fields.get(id)!, value[id])));
    }
    for (const { id, required } of withoutRetired(question.rows)) {
      if (required && !context?.hidden?.has(id) && !isFilled(ownValue(value, id)))
        violations.push({ path: id, message: "is required" });
    }
    if (violations.length === 0 && !Object.values(value).some(isFilled)) {
      return violationAt("", "must have at least one field; null takes an answer back");
    }
    return violations.length > 0 ? violations : noViolations;
  },

  sample(question, random) {
    const fields = withoutRetired(question.rows);
    const filled = fields.filter(({ required }) => required || random() < 0.8);
    const person = samplePerson(random);
    const given = filled.length > 0 ? filled : fields.slice(0, 1);
    if (given.length === 0) return undefined;
    return Object.fromEntries(given.map(({ id, format }) => [id, sampleField(format, person, random)]));
  },
  isEmpty: isNull,

  tally(_question, value) {
    const filled = Object.entries(value as JsonObject).filter(([, each]) => isFilled(each));
    return { buckets: Object.fromEntries(filled.map(([id]) => [id, 1])) };
  },

  distribution: ({ rows }, { buckets }) => ({ counts: countsByChoice(rows, buckets) }),

  exportColumns: (question) =>
    (question.rows ?? []).map((field) => partColumn(question, [nameOf(field)], cellFormatOf(field))),

  exportCells(question, value) {
    const filled = isJsonObject(value) ? value : {};
    return (question.rows ?? []).map((field) => fieldCell(field, ownValue(filled, field.id)));
  },
};

function isFilled(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && !isBlank(value));
}

function fieldSchema({ text: title, format }: Choice): TSchema {
  return format === "number" ? Type.Number({ title }) : Type.String({ title, maxLength: longestField });
}

function fieldViolations({ format }: Choice, value: unknown): readonly Violation[] {
  if (format === "number") return Number.isFinite(value) ? noViolations : violationAt("", "must be a number");
  const violations = checkText(value, 0, longestField);
  if (violations.length > 0 || format === undefined || !isFilled(value)) return violations;
  const text = value as string;
  if (format === "date") {
    return parseTimestamp("date", text) === null ? violationAt("", "must be a date such as 2026-01-31") : noViolations;
  }
  const wrong = formatViolation(format, text);
  return wrong ? violationAt("", wrong) : noViolations;
}

function cellFormatOf({ format }: Choice): CellFormat {
  if (format === "number") return amountCellFormat;
  return format === "date" ? { kind: "date", measure: "scale", values: [] } : textCellFormat;
}

/** Null where a value does not fit the column. Merged fields of different formats are texts, which hold all. */
function fieldCell({ format }: Choice, value: unknown): ExportCell {
  if (!isFilled(value)) return null;
  if (format === "number") return typeof value === "number" ? value : null;
  const text = String(value);
  return format === "date" && parseTimestamp("date", text) === null ? null : text;
}

function sampleField(format: Choice["format"], person: ReturnType<typeof samplePerson>, random: Random) {
  const made = {
    email: person.email,
    url: "https://example.org/",
    phone: person.phone,
    number: Math.floor(random() * 100),
    date: `2026-01-${String(10 + Math.floor(random() * 20))}`,
  };
  return format === undefined ? pick([person.firstName, person.company, person.city], random) : made[format];
}
