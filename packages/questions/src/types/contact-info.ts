import { Type, type Static } from "typebox";
import { affectsIf } from "../change-class.ts";
import { textPartConditions } from "../conditions/targets.ts";
import { partColumn, plainCell, textCellFormat } from "../export-cells.ts";
import { type Violation, violationAt, violationsBelow, joinPath, noViolations } from "@canvass/inputs";
import { isBlank, isJsonObject, type JsonObject, ownValue } from "@canvass/values";
import { formatViolation, type TextFormat } from "../formats.ts";
import { checkText, isNull } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { settingsObject, settingsReader } from "../type-settings.ts";
import { samplePerson } from "../samples/sample-person.ts";

/** In display order. */
const parts = {
  firstName: { label: "First name", shown: true },
  lastName: { label: "Last name", shown: true },
  email: { label: "E-mail", shown: true, format: "email" },
  phone: { label: "Phone", shown: true, format: "phone" },
  company: { label: "Company", shown: false },
  addressLine1: { label: "Address line 1", shown: false },
  addressLine2: { label: "Address line 2", shown: false },
  city: { label: "City", shown: false },
  region: { label: "Region", shown: false },
  postalCode: { label: "Postal code", shown: false },
  country: { label: "Country", shown: false },
} as const satisfies Record<string, { label: string; shown: boolean; format?: TextFormat }>;

type PartName = keyof typeof parts;
const partNames = Object.keys(parts) as PartName[];
const formats: Partial<Record<string, TextFormat>> = { email: "email", phone: "phone" };

const part = (name: PartName) =>
  Type.Object(
    { show: Type.Boolean({ default: parts[name].shown }), required: Type.Boolean({ default: false }) },
    { additionalProperties: false, title: "ContactInfoPart" },
  );
type PartSchema = ReturnType<typeof part>;
const partSchemas = Object.fromEntries(partNames.map((name) => [name, part(name)])) as Record<PartName, PartSchema>;

const settings = settingsObject({ parts: settingsObject(partSchemas) });
const settingsOf = settingsReader(settings);
const longestPart = 300;

export const contactInfo: QuestionType<typeof settings> = {
  number: 18,
  typeName: "contact_info",
  summary: `Named parts of text: ${partNames.join(", ")}.`,
  answerable: true,
  isPersonal: true,
  settings,
  lists: {},
  shorthands: {},
  valueSchema: Type.Object(
    Object.fromEntries(partNames.map((name) => [name, Type.Optional(Type.String({ maxLength: longestPart }))])),
    { additionalProperties: false },
  ),
  distributionShape: "parts",
  conditions: textPartConditions,

  settingEffects: ({ parts: before }, { parts: after }) => ({
    parts: affectsIf(partNames.some((name) => isTighter(before[name], after[name]))),
  }),

  checkSettings({ parts }) {
    const violations = Object.entries(parts)
      .filter(([, { show, required }]) => required && !show)
      .map(([name]) => ({ path: `parts.${name}.required`, message: "needs show" }));
    if (!Object.values(parts).some(({ show }) => show))
      violations.push({ path: "parts", message: "must show at least one part" });
    return violations;
  },

  mergeSettings(older, newer) {
    const merged = partNames.map((name) => {
      const show = older.parts[name].show || newer.parts[name].show;
      return [name, { ...newer.parts[name], show }];
    });
    return { ...newer, parts: Object.fromEntries(merged) as Static<typeof settings>["parts"] };
  },

  checkValue(question, value) {
    if (!isJsonObject(value)) return violationAt("", "must be an object of named parts");
    const { parts } = settingsOf(question);
    const violations = Object.keys(value)
      .slice(0, 50)
      .flatMap((name) => partViolations(parts, name, value[name]));
    for (const name of partNames) {
      if (parts[name].required && !isFilled(ownValue(value, name)))
        violations.push({ path: name, message: "is required" });
    }
    if (violations.length === 0 && !filledParts(value).some(Boolean)) {
      return violationAt("", "must have at least one part; null takes an answer back");
    }
    return violations.length > 0 ? violations : noViolations;
  },

  sample(question, random) {
    const { parts } = settingsOf(question);
    const person: Record<PartName, string> = samplePerson(random);
    const filled = partNames.filter((name) => parts[name].required || (parts[name].show && random() < 0.8));
    const named = filled.length > 0 ? filled : shownParts(question).slice(0, 1);
    return named.length > 0 ? Object.fromEntries(named.map((name) => [name, person[name]])) : undefined;
  },
  isEmpty: isNull,

  tally(_question, value) {
    const buckets: Record<string, number> = {};
    for (const name of partNames) if (isFilled(ownValue(value as JsonObject, name))) buckets[name] = 1;
    return { buckets };
  },

  distribution(question, { buckets }) {
    const shown = settingsOf(question).parts;
    const counts = partNames
      .map((name) => [name, buckets.get(name) ?? 0] as const)
      .filter(([name, count]) => shown[name].show || count !== 0);
    return { counts: Object.fromEntries(counts) };
  },

  exportColumns: (question) =>
    shownParts(question).map((name) => partColumn(question, [{ id: name, label: parts[name].label }], textCellFormat)),

  exportCells(question, value) {
    const filled = isJsonObject(value) ? value : {};
    return shownParts(question).map((name) => plainCell(ownValue(filled, name)));
  },
};

function shownParts(question: Parameters<typeof settingsOf>[0]): PartName[] {
  const shown = settingsOf(question).parts;
  return partNames.filter((name) => shown[name].show);
}

type Part = { show: boolean; required: boolean };

function isTighter(before: Part, after: Part): boolean {
  return (before.show && !after.show) || (after.required && !before.required);
}

function partViolations(shown: Record<PartName, { show: boolean }>, name: string, value: unknown): Violation[] {
  const path = joinPath("", name);
  if (!Object.hasOwn(parts, name)) return [{ path, message: `is not a part; parts are ${partNames.join(", ")}` }];
  if (!shown[name as PartName].show) return [{ path, message: "is not asked for" }];
  const violations = checkText(value, 0, longestPart);
  if (violations.length > 0) return violationsBelow(path, violations);
  const format = formats[name];
  const wrong = format && isFilled(value) ? formatViolation(format, value as string) : null;
  return wrong ? [{ path, message: wrong }] : [];
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && !isBlank(value);
}

function filledParts(value: JsonObject): boolean[] {
  return partNames.map((name) => isFilled(ownValue(value, name)));
}
