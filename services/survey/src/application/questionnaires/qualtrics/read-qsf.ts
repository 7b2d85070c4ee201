import { isJsonObject, type JsonObject } from "@canvass/values";
import { fileRefused } from "../files/file-refused.ts";
import { readJson } from "../files/read-json.ts";
import { listAt, objectAt, textAt } from "../json-values.ts";
import { languageTagOf } from "../languages.ts";
import { addItem, createQuestionnaire, type Questionnaire } from "../questionnaire.ts";
import { leaveOut } from "../report.ts";
import { fitHtml, longest } from "../texts.ts";
import type { QualtricsSurvey } from "./qualtrics-survey.ts";
import { readFlow } from "./read-flow.ts";

const elementsRead = new Set(["SQ", "BL", "FL"]);

/** Reads a survey of Qualtrics (.qsf). Throws `validation_failed` for what is none. */
export function readQsf(file: Uint8Array): Questionnaire {
  const source = readJson(file);
  if (!isJsonObject(source["SurveyEntry"]) || !Array.isArray(source["SurveyElements"]))
    throw fileRefused("is no survey of Qualtrics: SurveyEntry and SurveyElements are required");
  const questionnaire = createQuestionnaire();
  const elements = listAt(source, "SurveyElements");
  const survey = parts(questionnaire, elements);
  const item = addItem(questionnaire, "SurveyEntry");
  const { document } = questionnaire;
  document["name"] = fitHtml(textAt(source["SurveyEntry"], "SurveyName"), longest.name, item) ?? "";
  document["language"] = languageTagOf(textAt(source["SurveyEntry"], "SurveyLanguage")) ?? "en";
  const description = fitHtml(textAt(source["SurveyEntry"], "SurveyDescription"), longest.description, item);
  if (description !== undefined && description !== document["name"]) document["description"] = description;
  const flow = elements.find((element) => textAt(element, "Element") === "FL");
  const steps = listAt(objectAt(flow, "Payload"), "Flow");
  readFlow(survey, steps.length > 0 ? steps : [...survey.blocks.keys()].map((ID) => ({ Type: "Block", ID })));
  for (const [id, payload] of survey.questions) {
    if (!survey.reached.has(id))
      leaveOut(
        addItem(questionnaire, id, textAt(payload, "DataExportTag")),
        "is in no block that the survey's flow leads to",
      );
  }
  for (const [at, element] of elements.entries()) {
    const kind = textAt(element, "Element");
    if (!elementsRead.has(kind))
      leaveOut(
        addItem(questionnaire, `SurveyElements ${at}`, `${kind} ${textAt(element, "PrimaryAttribute")}`),
        "holds no questions",
      );
  }
  return questionnaire;
}

function parts(questionnaire: Questionnaire, elements: readonly unknown[]): QualtricsSurvey {
  const questions = new Map<string, JsonObject>();
  const blocks = new Map<string, JsonObject>();
  for (const element of elements) {
    if (!isJsonObject(element)) continue;
    const payload = element["Payload"];
    if (element["Element"] === "SQ" && isJsonObject(payload))
      questions.set(textAt(payload, "QuestionID") || textAt(element, "PrimaryAttribute"), payload);
    if (element["Element"] !== "BL" || typeof payload !== "object" || payload === null) continue;
    for (const block of Object.values(payload as JsonObject))
      if (isJsonObject(block)) blocks.set(textAt(block, "ID"), block);
  }
  return { questionnaire, questions, blocks, asked: new Map(), fields: new Set(), reached: new Set() };
}
