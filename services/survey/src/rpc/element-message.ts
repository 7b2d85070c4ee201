import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { entityTag } from "@canvass/values";
import type { ElementSchema } from "@canvass/proto/survey-elements";
import { questionTypeOf } from "@canvass/questions";
import type { ElementRecord } from "../domain/element-record.ts";
import type { AnswerCounts } from "./answer-counts.ts";
import { toChoice, toColumn } from "./question-lists.ts";

export function elementTag({ question, revision }: ElementRecord): string {
  return entityTag("element", question.elementId, revision);
}

export function toElementMessage(
  element: ElementRecord,
  { responses }: Pick<AnswerCounts, "responses">,
): MessageInitShape<typeof ElementSchema> {
  const { surveyId, pageId, sortOrder, createdAt, updatedAt, question } = element;
  const { elementId, questionId, name = "", type, text, helpText, choices = [], rows = [], columns = [] } = question;
  return {
    elementId,
    surveyId,
    pageId,
    questionId,
    name,
    type,
    typeName: questionTypeOf(question).typeName,
    sortOrder,
    ...(text !== null && { questionText: text }),
    ...(helpText !== null && { helpText }),
    createdAt: timestampFromMs(createdAt),
    updatedAt: timestampFromMs(updatedAt),
    typeSettingsJson: JSON.stringify(question.typeSettings),
    required: question.responseValidation.required,
    choices: choices.map(toChoice),
    rows: rows.map(toChoice),
    columns: columns.map(toColumn),
    responses,
    etag: elementTag(element),
    logicJson: question.logic ? JSON.stringify(question.logic) : "",
  };
}
