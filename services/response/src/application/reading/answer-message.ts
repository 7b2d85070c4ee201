import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { AnswerSchema, type Answer } from "@canvass/proto/response";
import type { AnswerRecord } from "../../domain/submissions/answer-record.ts";

type ShownAnswer = AnswerRecord & { respondentId: string; versionNumber: number; isTest: boolean };

export function toAnswerMessage(answer: ShownAnswer, cursor = ""): Answer {
  const { answerId, respondentId, elementId, itemId, questionId, name, typeName, versionNumber, isTest } = answer;
  const { value, valueLabels, meta, submittedAt, offPath } = answer;
  return create(AnswerSchema, {
    answerId,
    respondentId,
    elementId,
    itemId: itemId ?? "",
    questionId,
    name: name ?? "",
    typeName,
    valueJson: JSON.stringify(value),
    valueLabelsJson: valueLabels === undefined ? "" : JSON.stringify(valueLabels),
    versionNumber,
    submittedAt: timestampFromMs(submittedAt.getTime()),
    metaJson: meta === null ? "" : JSON.stringify(meta),
    isTest,
    offPath,
    cursor,
  });
}
