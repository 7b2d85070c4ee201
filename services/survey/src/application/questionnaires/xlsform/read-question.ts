import type { JsonObject } from "@canvass/values";
import type { Asked } from "../asked.ts";
import { addElement, type DraftElement, type DraftPage } from "../questionnaire.ts";
import { objectAt } from "../json-values.ts";
import { change, leaveOut, type ReportItem } from "../report.ts";
import { fitLabel, hasMarks } from "../form-markup.ts";
import { longest } from "../texts.ts";
import { ownCell, plainCell, type SheetRow } from "./columns.ts";
import type { FormList } from "./choice-lists.ts";
import { conditionCell, templateOf, type Form } from "./form.ts";
import { filteredChoices } from "./filtered-choices.ts";
import { readLimits } from "./read-limits.ts";
import type { TypeOfRow } from "./types.ts";

const mostListed = 200;
const read = new Set([
  "type",
  "name",
  "label",
  "hint",
  "required",
  "required_message",
  "relevant",
  "constraint",
  "constraint_message",
  "appearance",
  "default",
  "choice_filter",
  "parameters",
  "disabled",
  "rows",
]);

/** Reads a row with a question. */
export function readQuestion(
  form: Form,
  row: SheetRow,
  item: ReportItem,
  type: TypeOfRow,
  pageOf: () => DraftPage,
): void {
  const { questionnaire, languages, asked: known } = form;
  const name = plainCell(row, "name");
  const list = type.list === undefined ? undefined : form.lists.get(type.list);
  if (type.list !== undefined) {
    if (!list || list.choices.length === 0)
      return leaveOut(item, `has the list ${type.list.slice(0, 60)}, which the sheet choices lacks`);
    list.isUsed = true;
  }
  if (type.changed !== undefined) change(item, type.changed);
  const appearance = plainCell(row, "appearance")
    .split(/\s+/)
    .filter((word) => word !== "");
  const element: DraftElement = {
    key: questionnaire.keys.elements.take(name || "question"),
    type: shownType(type, appearance, list, row, item),
  };
  if (name !== "") element["name"] = questionnaire.keys.names.take(name);
  if (name !== "" && element["name"] !== name) change(item, `is named ${String(element["name"])}`);
  const label = fitLabel(ownCell(row, "label", languages), longest.text, item);
  if (label === undefined) {
    const where = row.cells.has("label") ? " in the survey's own language" : "";
    change(item, `has no label${where}, so its name is its text`);
  }
  element["text"] = label === undefined ? name || "…" : templateOf(form, label, item);
  const hint = fitLabel(ownCell(row, "hint", languages), longest.helpText, item);
  if (hint !== undefined) element["helpText"] = templateOf(form, hint, item);
  else if (row.cells.has("hint")) change(item, "its hint is left out: it has none in the survey's own language");
  const typeSettings = settingsOf(type, element.type, row, item);
  if (Object.keys(typeSettings).length > 0) element["typeSettings"] = typeSettings;
  const choices = list && filteredChoices(form, row, list, item);
  if (choices) element["choices"] = choices;
  const asked: Asked = {
    key: element.key,
    kind: type.asked!,
    ...(list && { choices: new Map(list.choices.map(({ code, key }) => [code, key])) }),
  };
  if (asked.choices && type.other) (asked.choices as Map<string, string>).set("other", "other");
  readLogic(form, row, item, element, asked);
  const translations = translationsOf(form, row, item, list, element);
  if (Object.keys(translations).length > 0) element["translations"] = translations;
  if (hasMarks(element)) element["typeSettings"] = { ...objectAt(element, "typeSettings"), textFormat: "markdown" };
  for (const column of row.cells.keys()) if (!read.has(column)) change(item, `${column.slice(0, 60)} is left out`);
  addElement(questionnaire, pageOf(), item, element);
  if (name !== "" && !known.has(name)) known.set(name, asked);
}

function shownType(
  { type = "", other, asked }: TypeOfRow,
  appearance: readonly string[],
  list: FormList | undefined,
  row: SheetRow,
  item: ReportItem,
): string {
  const { min, step } = rangeOf(row);
  const isRating = type === "slider" && appearance.includes("rating") && min === 1 && step === 1;
  const shown = isRating ? /^rating$/ : /^(multiline|minimal|autocomplete|search)$/;
  const left = appearance.filter((word) => !shown.test(word));
  if (left.length > 0) change(item, `the appearance ${left.join(" ").slice(0, 60)} is left out`);
  const isShort = appearance.some((word) => word === "minimal" || word === "autocomplete");
  const isLong = (list?.choices.length ?? 0) > mostListed;
  if (isRating) return "rating";
  if (type === "short_text" && appearance.includes("multiline")) return "long_text";
  if (type === "multiple_choice" && asked === "choice" && !other && (isShort || isLong)) {
    if (isLong && !isShort) change(item, "is a list that opens, since it has many choices");
    return "dropdown";
  }
  return type;
}

function settingsOf(
  { typeSettings = {}, other }: TypeOfRow,
  type: string,
  row: SheetRow,
  item: ReportItem,
): JsonObject {
  const settings: JsonObject = { ...(type === "long_text" ? {} : typeSettings) };
  if (other) settings["other"] = { enabled: true };
  for (const [, name = "", value = ""] of plainCell(row, "parameters").matchAll(/([\w-]+)\s*=\s*([^\s,;]+)/g)) {
    if (/^(slider|rating)$/.test(type) && /^(start|end|step)$/.test(name)) continue;
    if (name === "randomize" && /^(multiple_choice|dropdown|ranking)$/.test(type))
      settings["shuffle"] = value === "true";
    else change(item, `the parameter ${name.slice(0, 60)} is left out`);
  }
  if (type === "slider") Object.assign(settings, rangeOf(row));
  if (type === "rating") settings["steps"] = rangeOf(row).max;
  return settings;
}

function rangeOf(row: SheetRow): { min: number; max: number; step: number } {
  const parameter = (name: string, byDefault: number) =>
    Number(new RegExp(`(?:^|[\\s,;])${name}\\s*=\\s*(-?[\\d.]+)`).exec(plainCell(row, "parameters"))?.[1] ?? byDefault);
  return { min: parameter("start", 1), max: parameter("end", 10), step: parameter("step", 1) };
}

function readLogic(form: Form, row: SheetRow, item: ReportItem, element: DraftElement, asked: Asked): void {
  const isAnswered = element.type !== "statement";
  const showIf = conditionCell(form, row, "relevant", item);
  if (showIf) element["showIf"] = showIf;
  const required = plainCell(row, "required");
  if (isAnswered && /^(yes|true|true\(\)|1)$/i.test(required)) element["required"] = true;
  else if (isAnswered && !/^(no|false|false\(\)|0|)$/i.test(required)) {
    const requiredIf = conditionCell(form, row, "required", item);
    if (requiredIf) element["requiredIf"] = requiredIf;
  }
  if (row.cells.has("required_message")) change(item, "required_message is left out: the page has its own words");
  const isLimit = readLimits(row, element, asked);
  if (isLimit && row.cells.has("constraint_message"))
    change(item, "constraint_message is left out: the page has its own words for numbers of choices");
  const must = isAnswered && !isLimit ? conditionCell(form, row, "constraint", item, asked) : undefined;
  if (must) {
    const message = fitLabel(ownCell(row, "constraint_message", form.languages), longest.message, item);
    if (message === undefined) change(item, "has no constraint_message, so it gets one");
    element["constraints"] = [
      { must, message: message === undefined ? "This answer is not valid." : templateOf(form, message, item) },
    ];
  }
  readDefault(row, item, element, asked);
}

function readDefault(row: SheetRow, item: ReportItem, element: DraftElement, { kind, choices }: Asked): void {
  const value = plainCell(row, "default");
  if (value === "") return;
  if (/\$\{|\w\(/.test(value)) return change(item, "its default is calculated, and left out");
  if (kind === "none") return change(item, "its default is left out");
  if (kind === "number") element["defaultValue"] = Number(value);
  else if (kind === "boolean") element["defaultValue"] = /^(ok|yes|true|1)$/i.test(value);
  else if (kind === "choice") element["defaultValue"] = choices?.get(value) ?? value;
  else if (kind === "choices") element["defaultValue"] = value.split(/\s+/).map((code) => choices?.get(code) ?? code);
  else element["defaultValue"] = value;
}

function translationsOf(
  form: Form,
  row: SheetRow,
  item: ReportItem,
  list: FormList | undefined,
  element: DraftElement,
): Record<string, JsonObject> {
  const cells: [cell: string, place: string, most: number][] = [["label", "text", longest.text]];
  if (element["helpText"] !== undefined) cells.push(["hint", "helpText", longest.helpText]);
  if (element["constraints"] !== undefined)
    cells.push(["constraint_message", "constraints.0.message", longest.message]);
  const translations: Record<string, JsonObject> = {};
  for (const [name, tag] of form.languages.others) {
    const texts: JsonObject = {};
    for (const [cell, place, most] of cells) {
      const text = fitLabel(row.cells.get(cell)?.get(name), most, item);
      if (text !== undefined) texts[place] = templateOf(form, text, item);
    }
    for (const { key, translations: own } of list?.choices ?? [])
      if (own.has(tag)) texts[`choices.${key}`] = templateOf(form, own.get(tag)!, item);
    if (Object.keys(texts).length > 0) translations[tag] = texts;
  }
  return translations;
}
