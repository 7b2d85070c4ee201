import type { JsonObject } from "@canvass/values";
import { kindOf } from "../asked.ts";
import { readCondition } from "../expressions/read-condition.ts";
import { createEntryKeys } from "../keys.ts";
import { addElement, addItem, type DraftElement, type DraftPage } from "../questionnaire.ts";
import { change, cut, leaveOut, type ReportItem } from "../report.ts";
import { fitHtml, longest } from "../texts.ts";
import { expressionScript, scriptCall } from "./expressions.ts";
import type { LimeSurvey } from "./lime-survey.ts";
import { limeTypes, type ImportedType } from "./question-types.ts";
import { field, type Localized } from "./tables.ts";

const attributesRead = new Set(["random_order", "min_answers", "max_answers", "hidden"]);

/** Reads a question with its subquestions and answers. */
export function readLimeQuestion(lime: LimeSurvey, page: DraftPage, question: Localized): void {
  const { questionnaire, own } = lime;
  const [qid, code] = [field(question.own, "qid"), field(question.own, "title")];
  const item = addItem(questionnaire, `question ${qid}`, code);
  const letter = field(question.own, "type");
  const type: ImportedType = Object.hasOwn(limeTypes, letter)
    ? limeTypes[letter]!
    : { leftOut: `has the type ${letter.slice(0, 20)}, for which there is no question type` };
  const attributes = lime.attributes.get(qid);
  const relevance = field(question.own, "relevance");
  if (type.leftOut !== undefined) return leaveOut(item, type.leftOut);
  if (relevance === "0" || attributes?.get("hidden") === "1") return leaveOut(item, "is never shown");
  if (type.changed !== undefined) change(item, type.changed);
  const element: DraftElement = { key: questionnaire.keys.elements.take(code || "question"), type: type.type! };
  element["name"] = questionnaire.keys.names.take(code || "question");
  if (element["name"] !== code) change(item, `is named ${String(element["name"])}`);
  const text = (language: string, name: string) => field(question.byLanguage.get(language), name);
  element["text"] = templateOf(
    lime,
    fitHtml(text(own, "question") || field(question.own, "question"), longest.text, item) ?? (code || "…"),
    item,
  );
  const help = fitHtml(text(own, "help") || field(question.own, "help"), longest.helpText, item);
  if (help !== undefined) element["helpText"] = templateOf(lime, help, item);
  const mandatory = field(question.own, "mandatory");
  if (type.type !== "statement" && /^[YS]$/.test(mandatory)) element["required"] = true;
  if (mandatory === "S") change(item, "is required, not only asked for once more");
  const typeSettings = settingsOf(type, question, attributes, item);
  if (Object.keys(typeSettings).length > 0) element["typeSettings"] = typeSettings;
  const entries = readLists(lime, element, type, qid, letter, item);
  const showIf = conditionOf(lime, relevance, item);
  if (showIf) element["showIf"] = showIf;
  const translations = translationsOf(lime, question, element, entries, item);
  if (Object.keys(translations).length > 0) element["translations"] = translations;
  if (field(question.own, "preg") !== "") change(item, "preg is left out");
  for (const [name, value] of attributes ?? [])
    if (value !== "" && !attributesRead.has(name)) change(item, `the attribute ${name.slice(0, 60)} is left out`);
  addElement(questionnaire, page, item, element);
  learn(lime, code, element, typeSettings, entries);
}

function settingsOf(
  { type, typeSettings = {} }: ImportedType,
  { own }: Localized,
  attributes: ReadonlyMap<string, string> | undefined,
  item: ReportItem,
): JsonObject {
  const settings: JsonObject = { ...typeSettings };
  if (field(own, "other") === "Y" && type === "multiple_choice") settings["other"] = { enabled: true };
  else if (field(own, "other") === "Y") change(item, "has no field for other answers");
  if (/^[12]$/.test(attributes?.get("random_order") ?? ""))
    settings[type === "matrix" ? "shuffleRows" : "shuffle"] = true;
  for (const [name, setting] of [
    ["min_answers", "minSelections"],
    ["max_answers", "maxSelections"],
  ] as const) {
    const count = Number(attributes?.get(name) || Number.NaN);
    if (settings["multipleAnswers"] === true && Number.isInteger(count)) settings[setting] = count;
  }
  return settings;
}

interface ReadEntry {
  list: "choices" | "rows" | "columns";
  key: string;
  code: string;
  source: Localized | undefined;
}

function readLists(
  lime: LimeSurvey,
  element: DraftElement,
  type: ImportedType,
  qid: string,
  letter: string,
  item: ReportItem,
): ReadEntry[] {
  const sources = { answers: lime.answers.get(qid) ?? [], subquestions: lime.subquestions.get(qid) ?? [] };
  const all: ReadEntry[] = [];
  for (const list of ["choices", "rows", "columns"] as const) {
    const from = type[list];
    if (from === undefined) continue;
    const keys = createEntryKeys();
    const codes = new Set<string>();
    const entries: JsonObject[] = [];
    const given =
      typeof from !== "string"
        ? from.map((text) => ({ code: text, text, source: undefined }))
        : sources[from]
            .map((source) => ({ ...textOf(lime, source, item), source }))
            .filter(({ code, source }) => isEverShown(source, code, item));
    const listed =
      letter === "G" && given.length === 0
        ? ["Female", "Male"].map((text) => ({ code: text[0]!, text, source: undefined }))
        : given;
    for (const { code, text, source } of listed) {
      const isCode = /^[^\s\p{C}]{1,32}$/u.test(code) && !codes.has(code);
      codes.add(code);
      const key = keys.take(code || text);
      all.push({ list, key, code, source });
      const showIf = conditionOf(lime, field(source?.own, "relevance"), item, `the relevance of ${code.slice(0, 40)}`);
      entries.push({
        key,
        ...(isCode && { code }),
        text: templateOf(lime, text, item),
        ...(list === "rows" && type.format && { format: type.format }),
        ...(showIf && { showIf }),
      });
    }
    element[list] = entries;
  }
  return all;
}

function isEverShown({ own }: Localized, code: string, item: ReportItem): boolean {
  if (field(own, "relevance") !== "0") return true;
  change(item, `${code.slice(0, 40)} is left out: it is never shown`);
  return false;
}

function textOf({ own }: LimeSurvey, source: Localized, item: ReportItem): { code: string; text: string } {
  const code = field(source.own, "code") || field(source.own, "title");
  const row = source.byLanguage.get(own) ?? source.own;
  return {
    code,
    text:
      fitHtml(row.get("answer") ?? row.get("question"), longest.entry, item)?.replaceAll("\n", " ") ?? (code || "…"),
  };
}

function translationsOf(
  lime: LimeSurvey,
  question: Localized,
  element: DraftElement,
  entries: readonly ReadEntry[],
  item: ReportItem,
): Record<string, JsonObject> {
  const translations: Record<string, JsonObject> = {};
  for (const [name, tag] of lime.languages) {
    const texts: JsonObject = {};
    const put = (place: string, html: string | undefined, most: number) => {
      const text = fitHtml(html, most, item);
      if (text !== undefined)
        texts[place] = templateOf(lime, most === longest.entry ? text.replaceAll("\n", " ") : text, item);
    };
    const own = question.byLanguage.get(name);
    put("text", own?.get("question"), longest.text);
    if (element["helpText"] !== undefined) put("helpText", own?.get("help"), longest.helpText);
    for (const { list, key, source } of entries) {
      const row = source?.byLanguage.get(name);
      put(`${list}.${key}`, row?.get("answer") ?? row?.get("question"), longest.entry);
    }
    if (Object.keys(texts).length > 0) translations[tag] = texts;
  }
  return translations;
}

/** Lets later conditions refer to a question by its code, and to its choices by `code_subquestion`. */
function learn(
  { asked }: LimeSurvey,
  code: string,
  { key, type }: DraftElement,
  settings: JsonObject,
  entries: readonly ReadEntry[],
): void {
  const kind = kindOf(type, settings["multipleAnswers"] === true);
  const choices = new Map(entries.filter(({ list }) => list === "choices").map((entry) => [entry.code, entry.key]));
  if (settings["other"]) choices.set("-oth-", "other");
  asked.set(code, { key, kind, choices });
  if (kind !== "choices") return;
  for (const [name, part] of choices) asked.set(`${code}_${name}`, { key, kind: "part", part });
}

/**
 * Reads a relevance equation; undefined if there is none, or if it cannot be converted, which `item` then reports of
 * `what`.
 */
export function conditionOf(
  { asked }: LimeSurvey,
  source: string,
  item: ReportItem,
  what = "its relevance",
): JsonObject | undefined {
  if (source === "" || source === "1") return undefined;
  const read = readCondition(source.replaceAll(/^\{|\}$/g, ""), expressionScript, {
    find: (name) => asked.get(name),
    call: scriptCall,
  });
  if (typeof read !== "string") return read;
  change(item, `${what} is left out, since it ${read}`);
  return undefined;
}

/** Writes references such as `{Q1.shown}` as placeholders. `item` reports the expressions that stay as they are. */
export const templateOf = ({ asked }: LimeSurvey, text: string, item: ReportItem): string =>
  text.replaceAll(/(?<!\{)\{([^\s{}][^{}]*)\}(?!\})/g, (written, expression: string) => {
    const code = /^([A-Za-z]\w*)(?:\.\w+)?$/.exec(expression)?.[1];
    const known = code === undefined ? undefined : asked.get(code);
    if (known && known.kind !== "none" && known.kind !== "part") return `{{${known.key}}}`;
    change(item, `a text keeps ${cut(written)} as it is written`);
    return written;
  });
