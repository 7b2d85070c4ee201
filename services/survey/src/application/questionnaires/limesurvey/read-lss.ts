import { readXml, type XmlElement } from "../files/read-xml.ts";
import { fileRefused } from "../files/file-refused.ts";
import { childOf } from "../files/read-xml.ts";
import { languageTagOf } from "../languages.ts";
import { addItem, addPage, createQuestionnaire, type Questionnaire } from "../questionnaire.ts";
import { change, leaveOut } from "../report.ts";
import { fitHtml, longest } from "../texts.ts";
import type { LimeSurvey } from "./lime-survey.ts";
import { conditionOf, readLimeQuestion, templateOf } from "./read-lime-question.ts";
import { byParent, field, joinTexts, rowsOfTable, type Localized } from "./tables.ts";

const tablesRead = new Set([
  "answers",
  "answer_l10ns",
  "groups",
  "group_l10ns",
  "questions",
  "subquestions",
  "question_l10ns",
  "question_attributes",
  "surveys",
  "surveys_languagesettings",
  "languages",
  "LimeSurveyDocType",
  "DBVersion",
  "conditions",
]);

/** Reads a survey structure of LimeSurvey (.lss). Throws `validation_failed` if the file is not one. */
export function readLss(file: Uint8Array): Questionnaire {
  const document = readXml(file);
  if (childOf(document, "LimeSurveyDocType")?.text.trim() !== "Survey")
    throw fileRefused("is no survey of LimeSurvey: LimeSurveyDocType must be Survey");
  const questionnaire = createQuestionnaire();
  const lime = readTables(questionnaire, document);
  readSurvey(lime, document);
  for (const group of joinTexts(
    rowsOfTable(document, "groups"),
    rowsOfTable(document, "group_l10ns"),
    "gid",
    "group_order",
  ))
    readGroup(lime, group);
  for (const { name } of document.children) {
    if (!tablesRead.has(name) && rowsOfTable(document, name).length > 0)
      leaveOut(addItem(questionnaire, name), "is not read");
  }
  return questionnaire;
}

function readTables(questionnaire: Questionnaire, document: XmlElement): LimeSurvey {
  const texts = rowsOfTable(document, "question_l10ns");
  const [survey] = rowsOfTable(document, "surveys");
  const own = field(survey, "language") || (childOf(document, "languages")?.children[0]?.text.trim() ?? "en");
  const subquestions = joinTexts(rowsOfTable(document, "subquestions"), texts, "qid", "question_order");
  const answers = joinTexts(
    rowsOfTable(document, "answers"),
    rowsOfTable(document, "answer_l10ns"),
    rowsOfTable(document, "answer_l10ns").length > 0 ? "aid" : "qid",
    "sortorder",
  );
  const attributes = new Map<string, Map<string, string>>();
  for (const row of rowsOfTable(document, "question_attributes")) {
    const known = attributes.get(field(row, "qid")) ?? new Map<string, string>();
    attributes.set(field(row, "qid"), known.set(field(row, "attribute"), field(row, "value")));
  }
  const languages = new Map(
    (childOf(document, "languages")?.children ?? []).flatMap(({ text }): [string, string][] => {
      const [name, tag] = [text.trim(), languageTagOf(text)];
      return name === own || tag === undefined ? [] : [[name, tag]];
    }),
  );
  const questions = joinTexts(rowsOfTable(document, "questions"), texts, "qid", "question_order").filter(
    ({ own: row }) => /^0?$/.test(field(row, "parent_qid")),
  );
  return {
    questionnaire,
    own,
    languages,
    questions: byParent(questions, "gid"),
    subquestions: byParent(subquestions, "parent_qid"),
    answers: byParent(answers, "qid"),
    attributes,
    asked: new Map(),
  };
}

function readSurvey(lime: LimeSurvey, document: XmlElement): void {
  const { questionnaire, own, languages } = lime;
  const item = addItem(questionnaire, "surveys");
  const settings = rowsOfTable(document, "surveys_languagesettings");
  const texts = settings.find((row) => field(row, "surveyls_language") === own) ?? settings[0];
  const { document: survey } = questionnaire;
  survey["language"] = languageTagOf(own) ?? "en";
  const textOf = (name: string, most: number) => {
    const text = fitHtml(field(texts, name), most, item);
    return text === undefined ? undefined : templateOf(lime, text, item);
  };
  survey["name"] = textOf("surveyls_title", longest.name)?.replaceAll("\n", " ") ?? "";
  const description = textOf("surveyls_description", longest.description);
  if (description !== undefined) survey["description"] = description;
  const welcome = textOf("surveyls_welcometext", longest.setting);
  if (welcome !== undefined) survey.settings["welcome"] = { enabled: true, text: welcome };
  const end = textOf("surveyls_endtext", longest.setting);
  if (end !== undefined) survey.settings["completion"] = { message: end };
  if (languages.size > 0) {
    survey.settings["locale"] = { languages: [...new Set(languages.values())], showSwitch: true };
    change(item, "the survey's own title and texts keep one language");
  }
  change(item, "settings beside texts and languages are left out");
}

function readGroup(lime: LimeSurvey, group: Localized): void {
  const { questionnaire, own, languages } = lime;
  const item = addItem(
    questionnaire,
    `group ${field(group.own, "gid")}`,
    field(group.byLanguage.get(own) ?? group.own, "group_name"),
  );
  const text = (language: string, name: string) => field(group.byLanguage.get(language), name);
  const title = fitHtml(text(own, "group_name") || field(group.own, "group_name"), longest.title, item)?.replaceAll(
    "\n",
    " ",
  );
  if ((text(own, "description") || field(group.own, "description")) !== "") change(item, "its description is left out");
  if (field(group.own, "randomization_group") !== "")
    change(item, "randomization_group is left out: pages of a block do that");
  const showIf = conditionOf(lime, field(group.own, "grelevance"), item);
  const translations = Object.fromEntries(
    [...languages].flatMap(([name, tag]) => {
      const translated =
        title === undefined ? undefined : fitHtml(text(name, "group_name"), longest.title, item)?.replaceAll("\n", " ");
      return translated === undefined ? [] : [[tag, { title: templateOf(lime, translated, item) }]];
    }),
  );
  const page = addPage(
    questionnaire,
    item,
    {
      ...(title !== undefined && { title: templateOf(lime, title, item) }),
      ...(showIf && { showIf }),
      ...(Object.keys(translations).length > 0 && { translations }),
    },
    title ?? "page",
  );
  for (const question of lime.questions.get(field(group.own, "gid")) ?? []) readLimeQuestion(lime, page, question);
}
