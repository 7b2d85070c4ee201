import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import { readJson } from "../files/read-json.ts";
import { fileRefused } from "../files/file-refused.ts";
import { listAt, textAt } from "../json-values.ts";
import { languageTagOf } from "../languages.ts";
import { addItem, addPage, createQuestionnaire, type DraftPage, type Questionnaire } from "../questionnaire.ts";
import { change, leaveOut, type ReportItem } from "../report.ts";
import { longest } from "../texts.ts";
import { readSurveyjsQuestion } from "./read-surveyjs-question.ts";
import { conditionAt, isNeverShown, otherTexts, ownText, templateOf, type SurveyjsSurvey } from "./surveyjs-survey.ts";

const read = new Set([
  "title",
  "description",
  "locale",
  "pages",
  "elements",
  "questions",
  "completedHtml",
  "logoPosition",
  "$schema",
]);

/** Reads a survey of SurveyJS (JSON). Throws `validation_failed` if the file is not one. */
export function readSurveyjs(file: Uint8Array): Questionnaire {
  const source = readJson(file);
  const pages = listAt(source, "pages");
  const loose = [...listAt(source, "elements"), ...listAt(source, "questions")];
  if (pages.length === 0 && loose.length === 0)
    throw fileRefused("is no survey of SurveyJS: it has neither pages nor elements");
  const questionnaire = createQuestionnaire();
  const locale = textAt(source, "locale") || "en";
  const survey: SurveyjsSurvey = { questionnaire, locale, languages: languagesOf(source, locale), asked: new Map() };
  readHead(survey, source);
  if (loose.length > 0) readPage(survey, { elements: loose }, "survey");
  for (const [at, page] of pages.entries()) if (isJsonObject(page)) readPage(survey, page, `pages.${at}`);
  return questionnaire;
}

function readHead(survey: SurveyjsSurvey, source: JsonObject): void {
  const { questionnaire, locale, languages } = survey;
  const { document } = questionnaire;
  const item = addItem(questionnaire, "survey");
  document["language"] = languageTagOf(locale) ?? "en";
  document["name"] = ownText(survey, source["title"], longest.name, item)?.replaceAll("\n", " ") ?? "";
  const description = ownText(survey, source["description"], longest.description, item);
  if (description !== undefined) document["description"] = description;
  const message = ownText(survey, source["completedHtml"], longest.setting, item);
  if (message !== undefined) document.settings["completion"] = { message };
  if (languages.size > 0) document.settings["locale"] = { languages: [...languages.values()], showSwitch: true };
  for (const name of Object.keys(source))
    if (!read.has(name)) leaveOut(addItem(questionnaire, name.slice(0, 60)), "is not read");
}

/** Returns the tags of the languages beside its own in which texts of the file are given, by their names there. */
function languagesOf(source: unknown, locale: string): Map<string, string> {
  const found = new Map<string, string>();
  const own = languageTagOf(locale) ?? "en";
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isJsonObject(value)) return;
    if (typeof ownValue(value, "default") === "string" || typeof ownValue(value, locale) === "string") {
      for (const name of Object.keys(value)) {
        const tag = name === "default" || name === locale ? undefined : languageTagOf(name);
        if (
          tag !== undefined &&
          tag !== own &&
          /^[a-z]{2,3}(-[A-Za-z]+)?$/.test(name) &&
          found.size < 50 &&
          ![...found.values()].includes(tag)
        )
          found.set(name, tag);
      }
    }
    for (const [name, each] of Object.entries(value)) if (name !== "default") visit(each);
  };
  visit(source);
  return found;
}

function readPage(survey: SurveyjsSurvey, source: JsonObject, place: string): void {
  const { questionnaire } = survey;
  const item = addItem(questionnaire, place, source["name"]);
  if (isNeverShown(source)) return leaveOut(item, "is never shown");
  noteUnread(source, item);
  readElements(survey, source, place, item, conditionAt(survey, source, "visibleIf", item));
}

const readOfPage = new Set(["type", "name", "title", "elements", "questions", "visible", "visibleIf"]);

function noteUnread(source: JsonObject, item: ReportItem): void {
  for (const member of Object.keys(source))
    if (!readOfPage.has(member)) change(item, `${member.slice(0, 60)} is left out`);
}

/** Reads the elements of a page or panel. A panel becomes a page of its own. */
function readElements(
  survey: SurveyjsSurvey,
  source: JsonObject,
  place: string,
  item: ReportItem,
  showIf: JsonObject | undefined,
): void {
  const { questionnaire } = survey;
  let page: DraftPage | undefined;
  for (const [at, element] of [...listAt(source, "elements"), ...listAt(source, "questions")].entries()) {
    const at_ = `${place}.elements.${at}`;
    if (!isJsonObject(element)) {
      leaveOut(addItem(questionnaire, at_), "is no element");
      continue;
    }
    if (textAt(element, "type") === "panel") {
      const panel = addItem(questionnaire, at_, element["name"]);
      if (isNeverShown(element)) {
        leaveOut(panel, "is never shown");
        continue;
      }
      change(panel, "becomes a page of its own: pages hold no panels");
      noteUnread(element, panel);
      const own = conditionAt(survey, element, "visibleIf", panel);
      readElements(survey, element, at_, panel, own && showIf ? { all: [showIf, own] } : (own ?? showIf));
      page = undefined;
    } else {
      page ??= newPage(survey, source, item, showIf);
      readSurveyjsQuestion(survey, page, element, at_);
    }
  }
}

function newPage(
  survey: SurveyjsSurvey,
  source: JsonObject,
  item: ReportItem,
  showIf: JsonObject | undefined,
): DraftPage {
  const title = ownText(survey, source["title"], longest.title, item)?.replaceAll("\n", " ");
  const translations =
    title === undefined
      ? []
      : otherTexts(survey, source["title"], longest.title, item).map(([tag, text]) => [
          tag,
          { title: templateOf(survey, text.replaceAll("\n", " "), item) },
        ]);
  return addPage(
    survey.questionnaire,
    item,
    {
      ...(title !== undefined && { title: templateOf(survey, title, item) }),
      ...(showIf && { showIf }),
      ...(translations.length > 0 && { translations: Object.fromEntries(translations) as JsonObject }),
    },
    textAt(source, "name"),
  );
}
