import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import { kindOf } from "../asked.ts";
import { createEntryKeys } from "../keys.ts";
import { listAt, objectAt, textAt } from "../json-values.ts";
import { addElement, addItem, type DraftElement, type DraftPage } from "../questionnaire.ts";
import { change, leaveOut, type ReportItem } from "../report.ts";
import { fitHtml, longest } from "../texts.ts";
import { logicOf } from "./display-logic.ts";
import { templateOf, type QualtricsSurvey } from "./qualtrics-survey.ts";
import { typeOf } from "./question-types.ts";
import { readValidation } from "./validation.ts";

/** Reads a question's payload. A side-by-side question becomes one for each of its columns. */
export function readQualtricsQuestion(
  survey: QualtricsSurvey,
  page: DraftPage,
  id: string,
  payload: JsonObject,
  skips: boolean,
): void {
  const parts = partsOfSideBySide(id, payload);
  if (parts.length === 0) return readOne(survey, page, id, payload, skips);
  const item = addItem(survey.questionnaire, id, textAt(payload, "DataExportTag"));
  change(item, "becomes a question for each of its columns");
  if (skips) change(item, skipsLeftOut);
  for (const [partId, part] of parts) readOne(survey, page, partId, part, false);
}

const skipsLeftOut = "its skip logic is left out: pages have rules for that";

function readOne(survey: QualtricsSurvey, page: DraftPage, id: string, payload: JsonObject, skips: boolean): void {
  const { questionnaire, asked } = survey;
  const tag = textAt(payload, "DataExportTag");
  const item = addItem(questionnaire, id, tag);
  const { type, typeSettings = {}, choices: list, columns, changed, leftOut } = typeOf(payload);
  if (leftOut !== undefined) return leaveOut(item, leftOut);
  if (changed !== undefined) change(item, changed);
  if (skips) change(item, skipsLeftOut);
  const element: DraftElement = { key: questionnaire.keys.elements.take(tag || id), type: type! };
  element["name"] = questionnaire.keys.names.take(tag || id);
  if (element["name"] !== (tag || id)) change(item, `is named ${String(element["name"])}`);
  const text = fitHtml(textAt(payload, "QuestionText"), longest.text, item);
  if (type !== "nps") element["text"] = templated(survey, text ?? (tag || id), item);
  const settings: JsonObject = { ...typeSettings };
  const keys = list && readEntries(survey, element, list, payload, settings, item);
  if (columns) readColumns(survey, element, payload, item);
  readValidation(payload, element, settings, item);
  if (Object.keys(settings).length > 0) element["typeSettings"] = settings;
  const showIf = logicOf(survey, payload["DisplayLogic"], item);
  if (showIf) element["showIf"] = showIf;
  for (const name of ["InPageDisplayLogic", "Randomization", "QuestionJS", "DynamicChoices", "DefaultChoices"]) {
    if (isGiven(payload[name]))
      change(item, `${name} is left out${name === "QuestionJS" ? ": nothing of a file is run" : ""}`);
  }
  if (type === "slider" && isGiven(payload["Labels"])) change(item, "its labels are left out");
  if (isJsonObject(payload["Language"]) && Object.keys(payload["Language"]).length > 0)
    change(item, "its translations are left out");
  addElement(questionnaire, page, item, element);
  asked.set(id, {
    key: element.key,
    kind: kindOf(type!, settings["multipleAnswers"] === true),
    ...(keys && { choices: keys }),
  });
}

/** Exports write absent members as `false`, `[]` or `{}`. */
const isGiven = (member: unknown): boolean =>
  typeof member === "object" && member !== null ? Object.keys(member).length > 0 : Boolean(member);

const templated = (survey: QualtricsSurvey, text: string, item: ReportItem): string =>
  templateOf(survey, text.replaceAll("\\{{", "{{"), item);

/** Writes the entries of a list in the file's order. Returns their keys by the ids that logic uses. */
function readEntries(
  survey: QualtricsSurvey,
  element: DraftElement,
  list: "choices" | "rows",
  payload: JsonObject,
  settings: JsonObject,
  item: ReportItem,
): Map<string, string> {
  const keys = new Map<string, string>();
  const taken = createEntryKeys();
  const codes = new Set<string>();
  element[list] = inOrder(payload, "Choices", "ChoiceOrder").map(([id, choice]) => {
    const key = taken.take(id);
    keys.set(id, key);
    const isMultiple = element.type === "multiple_choice";
    const hasText = textAt(choice, "TextEntry") !== "" && textAt(choice, "TextEntry") !== "false";
    if (hasText && !isMultiple) change(item, "has no field for a text beside an entry");
    const showIf = isJsonObject(choice) ? logicOf(survey, choice["DisplayLogic"], item) : undefined;
    return {
      key,
      ...codeOf(list === "rows" ? "ChoiceDataExportTags" : "RecodeValues", payload, id, codes),
      text: templated(
        survey,
        fitHtml(textAt(choice, "Display"), longest.entry, item)?.replaceAll("\n", " ") ?? id,
        item,
      ),
      ...(hasText && isMultiple && { freeText: true }),
      ...(textAt(choice, "ExclusiveAnswer") === "true" &&
        isMultiple &&
        settings["multipleAnswers"] === true && { exclusive: true }),
      ...(showIf && { showIf }),
    };
  });
  return keys;
}

function readColumns(survey: QualtricsSurvey, element: DraftElement, payload: JsonObject, item: ReportItem): void {
  const taken = createEntryKeys();
  const codes = new Set<string>();
  element["columns"] = inOrder(payload, "Answers", "AnswerOrder").map(([id, answer]) => ({
    key: taken.take(id),
    ...codeOf("RecodeValues", payload, id, codes),
    text: templated(survey, fitHtml(textAt(answer, "Display"), longest.entry, item)?.replaceAll("\n", " ") ?? id, item),
  }));
}

/** In a matrix, recoded values are those of its columns, and export tags those of its rows. */
function codeOf(
  codes: "RecodeValues" | "ChoiceDataExportTags",
  payload: JsonObject,
  id: string,
  taken: Set<string>,
): { code?: string } {
  const code = textAt(objectAt(payload, codes), id) || id;
  if (!/^[^\s\p{C}]{1,32}$/u.test(code) || taken.has(code)) return {};
  taken.add(code);
  return { code };
}

function inOrder(payload: JsonObject, name: string, order: string): [id: string, entry: unknown][] {
  const given = ownValue(payload, name);
  const entries = new Map(typeof given === "object" && given !== null ? Object.entries(given as JsonObject) : []);
  const ids = listAt(payload, order)
    .map(String)
    .filter((id) => entries.has(id));
  return [...new Set([...ids, ...entries.keys()])].map((id) => [id, entries.get(id)]);
}

/**
 * Returns the parts of a side-by-side question as questions of their own, with ids as exports of Qualtrics name them,
 * such as `QID1#2`.
 */
function partsOfSideBySide(id: string, payload: JsonObject): [id: string, payload: JsonObject][] {
  if (textAt(payload, "QuestionType") !== "SBS") return [];
  const { QuestionText: text, DataExportTag: tag, Validation, DisplayLogic, Language } = payload;
  const shared = { ChoiceOrder: payload["ChoiceOrder"], DisplayLogic, Language };
  return Object.entries(objectAt(payload, "AdditionalQuestions")).flatMap(([at, part]): [string, JsonObject][] => {
    if (!isJsonObject(part)) return [];
    const own = {
      ...shared,
      Choices: payload["Choices"],
      ...part,
      QuestionText: [text, ownValue(part, "QuestionText")].filter((each) => typeof each === "string").join("<br>"),
      DataExportTag: textAt(part, "DataExportTag") || `${textAt({ tag }, "tag") || id}#${at}`,
      Validation: isForced(Validation) ? Validation : part["Validation"],
    };
    return [[`${id}#${at}`, own]];
  });
}

const isForced = (validation: unknown): boolean =>
  /^(ON|YES)$/i.test(textAt(objectAt(validation, "Settings"), "ForceResponse"));
