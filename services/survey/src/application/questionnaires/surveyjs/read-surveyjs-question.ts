import { isJsonObject, type JsonObject } from "@canvass/values";
import { kindOf } from "../asked.ts";
import { createEntryKeys } from "../keys.ts";
import { listAt, objectAt, textAt } from "../json-values.ts";
import { addElement, addItem, type DraftElement, type DraftPage } from "../questionnaire.ts";
import { change, leaveOut, type ReportItem } from "../report.ts";
import { longest } from "../texts.ts";
import { typeOf, type ImportedType } from "./question-types.ts";
import { conditionAt, isNeverShown, otherTexts, ownText, templateOf, type SurveyjsSurvey } from "./surveyjs-survey.ts";

const read = new Set([
  "type",
  "name",
  "title",
  "description",
  "html",
  "isRequired",
  "visibleIf",
  "requiredIf",
  "inputType",
  "choices",
  "rows",
  "columns",
  "items",
  "rateValues",
  "rateMin",
  "rateMax",
  "rateCount",
  "rateType",
  "min",
  "max",
  "step",
  "hasOther",
  "showOtherItem",
  "otherText",
  "hasNone",
  "showNoneItem",
  "noneText",
  "choicesOrder",
  "rowsOrder",
  "defaultValue",
  "labelTrue",
  "labelFalse",
  "maxLength",
  "eachRowRequired",
  "isAllRowRequired",
  "minSelectedChoices",
  "maxSelectedChoices",
]);

const readOfEntry = new Set(["value", "name", "text", "title", "visibleIf"]);

/** Reads a question. `place` is its path in the file. */
export function readSurveyjsQuestion(survey: SurveyjsSurvey, page: DraftPage, source: JsonObject, place: string): void {
  const { questionnaire, asked } = survey;
  const name = textAt(source, "name");
  const item = addItem(questionnaire, place, name);
  const type = typeOf(source);
  if (type.leftOut !== undefined) return leaveOut(item, type.leftOut);
  if (isNeverShown(source)) return leaveOut(item, "is never shown");
  if (type.changed !== undefined) change(item, type.changed);
  const element: DraftElement = { key: questionnaire.keys.elements.take(name || "question"), type: type.type! };
  element["name"] = questionnaire.keys.names.take(name || "question");
  if (name !== "" && element["name"] !== name) change(item, `is named ${String(element["name"])}`);
  const title = type.type === "statement" ? (source["html"] ?? source["title"]) : source["title"];
  element["text"] = templateOf(survey, ownText(survey, title, longest.text, item) ?? (name || "…"), item);
  const help = ownText(survey, source["description"], longest.helpText, item);
  if (help !== undefined) element["helpText"] = templateOf(survey, help, item);
  const settings = settingsOf(survey, type, source, item);
  const translations = new Map<string, JsonObject>();
  const put = (at: string, value: unknown, most: number) => {
    for (const [tag, text] of otherTexts(survey, value, most, item))
      translations.set(tag, { ...translations.get(tag), [at]: templateOf(survey, text, item) });
  };
  put("text", title, longest.text);
  if (help !== undefined) put("helpText", source["description"], longest.helpText);
  const choices = readLists(survey, element, type, source, item, put);
  if (Object.keys(settings).length > 0) element["typeSettings"] = settings;
  readLogic(survey, element, source, item, choices);
  if (translations.size > 0) element["translations"] = Object.fromEntries(translations);
  for (const member of Object.keys(source)) if (!read.has(member)) change(item, `${member.slice(0, 60)} is left out`);
  addElement(questionnaire, page, item, element);
  asked.set(name, {
    key: element.key,
    kind: kindOf(type.type!, settings["multipleAnswers"] === true),
    ...(choices && { choices }),
  });
}

function settingsOf(
  survey: SurveyjsSurvey,
  { type, typeSettings = {} }: ImportedType,
  source: JsonObject,
  item: ReportItem,
): JsonObject {
  const settings: JsonObject = { ...typeSettings };
  const hasOther = source["hasOther"] === true || source["showOtherItem"] === true;
  if (hasOther && type === "multiple_choice") {
    const label = ownText(survey, source["otherText"], longest.name, item);
    settings["other"] = { enabled: true, ...(label !== undefined && { label }) };
  } else if (hasOther) change(item, "has no field for other answers");
  if (textAt(source, "choicesOrder") === "random") settings["shuffle"] = true;
  else if (/^(asc|desc)$/.test(textAt(source, "choicesOrder")))
    change(item, "its choices stand in the order of the file");
  if (type === "matrix" && textAt(source, "rowsOrder") === "random") settings["shuffleRows"] = true;
  if (type === "matrix" && (source["eachRowRequired"] === true || source["isAllRowRequired"] === true))
    settings["eachRowRequired"] = true;
  for (const [name, setting] of [
    ["minSelectedChoices", "minSelections"],
    ["maxSelectedChoices", "maxSelections"],
  ] as const) {
    if (typeof source[name] === "number" && source[name] > 0 && settings["multipleAnswers"] === true)
      settings[setting] = source[name];
  }
  if (type === "yes_no") {
    const [yes, no] = [source["labelTrue"], source["labelFalse"]].map((label) => ownText(survey, label, 100, item));
    if (yes !== undefined || no !== undefined)
      settings["labels"] = { ...(yes !== undefined && { yes }), ...(no !== undefined && { no }) };
  }
  const most = source["maxLength"];
  if (typeof most === "number" && most > 0 && type!.endsWith("text")) settings["maxLength"] = most;
  return settings;
}

/** Writes the lists of a question. Returns the keys of its choices by their values. */
function readLists(
  survey: SurveyjsSurvey,
  element: DraftElement,
  type: ImportedType,
  source: JsonObject,
  item: ReportItem,
  put: (place: string, value: unknown, most: number) => void,
): Map<string, string> | undefined {
  let choices: Map<string, string> | undefined;
  for (const list of ["choices", "rows", "columns"] as const) {
    const member = type[list];
    if (member === undefined) continue;
    const keys = createEntryKeys();
    const byValue = new Map<string, string>();
    const given = listAt(source, member);
    const none = list === "choices" && (source["hasNone"] === true || source["showNoneItem"] === true);
    const entries = none ? [...given, { value: "none", text: source["noneText"] ?? "None" }] : given;
    element[list] = entries.flatMap((entry, at) => {
      const value = isJsonObject(entry) ? textAt(entry, "value") || textAt(entry, "name") : textAt({ entry }, "entry");
      const written = isJsonObject(entry) ? (entry["text"] ?? entry["title"]) : entry;
      if (byValue.has(value)) {
        change(item, `${list} has ${value.slice(0, 40)} twice`);
        return [];
      }
      const key = keys.take(value || "entry");
      byValue.set(value, key);
      put(`${list}.${key}`, written, longest.entry);
      const own = isJsonObject(entry) ? conditionAt(survey, entry, "visibleIf", item) : undefined;
      if (isJsonObject(entry))
        for (const unread of Object.keys(entry))
          if (!readOfEntry.has(unread)) change(item, `${unread.slice(0, 60)} of its ${list} is left out`);
      return {
        key,
        ...(/^[^\s\p{C}]{1,32}$/u.test(value) && { code: value }),
        text: templateOf(
          survey,
          (ownText(survey, written, longest.entry, item) ?? (value || "…")).replaceAll("\n", " "),
          item,
        ),
        ...(none &&
          at === entries.length - 1 &&
          element.type === "multiple_choice" &&
          type.typeSettings?.["multipleAnswers"] === true && { exclusive: true }),
        ...(own && list !== "columns" && { showIf: own }),
      };
    });
    if (list === "choices") choices = byValue;
  }
  if (choices && element.type === "multiple_choice") choices.set("other", choices.get("other") ?? "other");
  if (source["choicesByUrl"] !== undefined || Object.keys(objectAt(source, "choicesByUrl")).length > 0)
    change(item, "choices from an address are left out: nothing is loaded");
  return choices;
}

function readLogic(
  survey: SurveyjsSurvey,
  element: DraftElement,
  source: JsonObject,
  item: ReportItem,
  choices: ReadonlyMap<string, string> | undefined,
): void {
  const showIf = conditionAt(survey, source, "visibleIf", item);
  if (showIf) element["showIf"] = showIf;
  if (element.type === "statement") return;
  if (source["isRequired"] === true) element["required"] = true;
  const requiredIf = conditionAt(survey, source, "requiredIf", item);
  if (requiredIf) element["requiredIf"] = requiredIf;
  const byDefault = source["defaultValue"];
  if (byDefault === undefined) return;
  const keyOf = (value: unknown) =>
    typeof value === "string" || typeof value === "number" ? (choices?.get(String(value)) ?? value) : value;
  element["defaultValue"] = Array.isArray(byDefault) ? byDefault.map(keyOf) : keyOf(byDefault);
}
