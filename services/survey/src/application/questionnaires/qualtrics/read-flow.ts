import { isJsonObject, type JsonObject } from "@canvass/values";
import { listAt, objectAt, textAt } from "../json-values.ts";
import { addItem, addPage, type DraftPage } from "../questionnaire.ts";
import { change, leaveOut } from "../report.ts";
import { logicOf } from "./display-logic.ts";
import type { QualtricsSurvey } from "./qualtrics-survey.ts";
import { readQualtricsQuestion } from "./read-qualtrics-question.ts";

/** Reads the steps of a flow: blocks become pages, branches their conditions, embedded data hidden fields. */
export function readFlow(survey: QualtricsSurvey, steps: readonly unknown[], showIf?: JsonObject): void {
  for (const step of steps) {
    if (!isJsonObject(step)) continue;
    const kind = textAt(step, "Type");
    if (kind === "Block" || kind === "Standard") {
      readBlock(survey, textAt(step, "ID"), showIf);
      continue;
    }
    const item = addItem(survey.questionnaire, `flow ${textAt(step, "FlowID")}`, textAt(step, "Description") || kind);
    if (kind === "Branch") {
      const own = logicOf(survey, objectAt(step, "BranchLogic"), item);
      readFlow(survey, listAt(step, "Flow"), own && showIf ? { all: [showIf, own] } : (own ?? showIf));
    } else if (kind === "EmbeddedData") readFields(survey, step);
    else if (/^(Group|BlockRandomizer|Randomizer)$/.test(kind)) {
      if (kind !== "Group") change(item, "comes in the order of the file: pages of a block (settings) may be shuffled");
      readFlow(survey, listAt(step, "Flow"), showIf);
    } else leaveOut(item, "has no counterpart in a survey");
  }
}

function readFields({ questionnaire, fields }: QualtricsSurvey, step: JsonObject): void {
  for (const data of listAt(step, "EmbeddedData")) {
    const [name, value] = [textAt(data, "Field"), textAt(data, "Value")];
    const item = addItem(questionnaire, `embedded data ${name}`, name);
    if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name)) {
      leaveOut(item, "has a name that no hidden field may have");
      continue;
    }
    if (fields.has(name)) continue;
    const isPlain = value !== "" && textAt(data, "Type") !== "Recipient" && !value.includes("${");
    if (value !== "" && !isPlain) change(item, "its value is left out");
    const field = { name, type: "text", ...(isPlain && { default: value }) };
    fields.add(name);
    questionnaire.document.fields.push(field);
    questionnaire.sources.set(field, item);
  }
}

function readBlock(survey: QualtricsSurvey, id: string, showIf: JsonObject | undefined): void {
  const { questionnaire, blocks, questions, reached } = survey;
  const block = blocks.get(id);
  const item = addItem(questionnaire, `block ${id}`, textAt(block, "Description"));
  if (!block) return leaveOut(item, "is not in the file");
  if (textAt(block, "Type") === "Trash") return leaveOut(item, "is the trash");
  if (
    Object.keys(objectAt(block, "Options")).some(
      (name) => /Random|Loop/.test(name) && textAt(objectAt(block, "Options"), name) !== "false",
    )
  )
    change(item, "its loop or random order is left out");
  let page: DraftPage | undefined;
  for (const element of listAt(block, "BlockElements")) {
    const questionId = textAt(element, "QuestionID");
    const payload = questions.get(questionId);
    if (textAt(element, "Type") === "Page Break") page = undefined;
    else if (payload && !reached.has(questionId)) {
      reached.add(questionId);
      page ??= addPage(questionnaire, item, { ...(showIf && { showIf }) }, textAt(block, "Description"));
      readQualtricsQuestion(survey, page, questionId, payload, listAt(element, "SkipLogic").length > 0);
    }
  }
}
