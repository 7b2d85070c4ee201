import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { RespondentSchema, type Respondent } from "@canvass/proto/response";
import { shownCompletion } from "../domain/recorded-time.ts";
import type { RespondentState } from "../domain/respondent-state.ts";

/** The message of a respondent; `percentComplete`: 0 to 100. */
export function toRespondentMessage(state: Omit<RespondentState, "answers">, percentComplete: number): Respondent {
  const { respondentId, surveyId, versionNumber, startedAt, completedAt, pageId, isAnonymous } = state;
  return create(RespondentSchema, {
    respondentId,
    surveyId,
    status: completedAt ? "completed" : "started",
    versionNumber,
    startedAt: timestampFromDate(startedAt),
    completedAt: completedAt ? shownCompletion(completedAt, isAnonymous) : "",
    pageId,
    percentComplete,
  });
}
