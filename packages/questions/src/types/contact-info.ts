import { Type, type Static } from "typebox";
import { affectsIf } from "../change-class.ts";
import { containment, textTarget } from "../condition-targets.ts";
import { partColumn, plainCell, textCells } from "../export-cells.ts";
import { type Fault, faultAt, faultsBelow, joinPath, noFaults } from "@canvass/inputs";
import { isBlank, isJsonObject, type JsonObject, ownValue } from "@canvass/values";
import { formatFault, type TextFormat } from "../formats.ts";
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
  settingsObject({
    show: Type.Boolean({ default: parts[name].shown }),
    required: Type.Boolean({ default: false }),
  });
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
  valueSchema: Type.Partial(
    Type.Object(Object.fromEntries(partNames.map((name) => [name, Type.String({ maxLength: longestPart })])), {
      additionalProperties: false,
    }),
  ),
  conditions: containment(textTarget),

  settingEffects: ({ parts: before }, { parts: after }) => ({
    parts: affectsIf(partNames.some((name) => isTighter(before[name], after[name]))),
  }),

  checkSettings({ parts }) {
    const faults = Object.entries(parts)
      .filter(([, { show, required }]) => required && !show)
      .map(([name]) => ({ path: `parts.${name}.required`, message: "needs show" }));
    if (!Object.values(parts).some(({ show }) => show))
      faults.push({ path: "parts", message: "must show at least one part" });
    return faults;
  },

  mergeSettings(older, newer) {
    const merged = partNames.map((name) => {
      const show = older.parts[name].show || newer.parts[name].show;
      return [name, { ...newer.parts[name], show }];
    });
    return { ...newer, parts: Object.fromEntries(merged) as Static<typeof settings>["parts"] };
  },

  checkValue(question, value) {
    if (!isJsonObject(value)) return faultAt("", "must be an object of named parts");
    const { parts } = settingsOf(question);
    const faults = Object.keys(value)
      .slice(0, 50)
      .flatMap((name) => partFaults(parts, name, value[name]));
    for (const name of partNames) {
      if (parts[name].required && !isFilled(ownValue(value, name))) faults.push({ path: name, message: "is required" });
    }
    if (faults.length === 0 && !filledParts(value).some(Boolean)) {
      return faultAt("", "must have at least one part; null takes an answer back");
    }
    return faults.length > 0 ? faults : noFaults;
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
    shownParts(question).map((name) => partColumn(question, [{ id: name, label: parts[name].label }], textCells)),

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

function partFaults(shown: Record<PartName, { show: boolean }>, name: string, value: unknown): Fault[] {
  const path = joinPath("", name);
  if (!Object.hasOwn(parts, name)) return [{ path, message: `is not a part; parts are ${partNames.join(", ")}` }];
  if (!shown[name as PartName].show) return [{ path, message: "is not asked for" }];
  const faults = checkText(value, 0, longestPart);
  if (faults.length > 0) return faultsBelow(path, faults);
  const format = formats[name];
  const wrong = format && isFilled(value) ? formatFault(format, value as string) : null;
  return wrong ? [{ path, message: wrong }] : [];
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && !isBlank(value);
}

function filledParts(value: JsonObject): boolean[] {
  return partNames.map((name) => isFilled(ownValue(value, name)));
}
