import { timestampDate } from "@bufbuild/protobuf/wkt";
import { answersQuery, shapeViolations, type Violation } from "@canvass/inputs";
import type { CursorBinding } from "@canvass/postgres";
import type { AnswerFilter as AnswerFilterMessage } from "@canvass/proto/response";
import type { AnswerFilter } from "../../storage/answers/answer-set-pages.ts";

export function toAnswerFilter(workspaceId: string, message: AnswerFilterMessage | undefined): AnswerFilter {
  const { surveyId = "", respondentId, elementId, from, to, completed } = message ?? {};
  return {
    workspaceId,
    surveyId,
    respondentId,
    elementId,
    from: from && timestampDate(from),
    to: to && timestampDate(to),
    isCompleted: completed,
  };
}

export function answerBinding(filter: AnswerFilter): CursorBinding {
  const { workspaceId, surveyId, respondentId, elementId, from, to, isCompleted } = filter;
  return ["answers", workspaceId, surveyId, respondentId, elementId, from?.getTime(), to?.getTime(), isCompleted];
}

export function answerFilterViolations({ respondentId, elementId }: AnswerFilter): Violation[] {
  const { properties } = answersQuery;
  return [
    ...(respondentId === undefined ? [] : shapeViolations(properties.respondentId, respondentId, "respondentId")),
    ...(elementId === undefined ? [] : shapeViolations(properties.elementId, elementId, "elementId")),
  ];
}
