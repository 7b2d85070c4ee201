import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { RespondentSchema, type Answer, type Respondent } from "@canvass/proto/response";
import type { SurveyDefinition } from "@canvass/questions";
import { toAnswerRecords } from "../../domain/submissions/answer-record.ts";
import { shownCompletion, shownStart } from "../../domain/respondents/recorded-time.ts";
import {
  respondentStatus,
  type RespondentDetails,
  type RespondentState,
} from "../../domain/respondents/respondent-state.ts";
import { toAnswerMessage } from "../reading/answer-message.ts";

type Shown = Pick<
  RespondentState & RespondentDetails,
  | "respondentId"
  | "surveyId"
  | "versionNumber"
  | "startedAt"
  | "completedAt"
  | "isScreenedOut"
  | "pageId"
  | "isAnonymous"
  | "isTest"
  | keyof RespondentDetails
>;

export function toRespondentMessage(respondent: Shown, percentComplete: number): Respondent {
  const { respondentId, surveyId, versionNumber, startedAt, completedAt, pageId, isAnonymous, isTest } = respondent;
  const { language, distributorId, contactId, metadata, fields, orderSeed, externalId, isImported } = respondent;
  return create(RespondentSchema, {
    respondentId,
    surveyId,
    status: respondentStatus(respondent),
    versionNumber,
    startedAt: timestampFromDate(shownStart(startedAt, isAnonymous)),
    completedAt: completedAt ? shownCompletion(completedAt, isAnonymous) : "",
    pageId,
    percentComplete,
    isTest,
    language,
    distributorId,
    contactId,
    metadataJson: JSON.stringify(metadata),
    orderSeed: orderSeed ?? 0,
    fieldsJson: JSON.stringify(fields),
    externalId: externalId ?? "",
    isImported: isImported ?? false,
  });
}

export function* currentAnswerMessages(
  respondent: Pick<RespondentState, "respondentId" | "versionNumber" | "isTest" | "answers">,
  definition: SurveyDefinition,
): Generator<undefined, Answer[]> {
  const { respondentId, versionNumber, isTest, answers } = respondent;
  const records = toAnswerRecords(respondentId, answers, definition);
  records.sort((a, b) => a.submittedAt.getTime() - b.submittedAt.getTime() || a.number - b.number);
  const messages: Answer[] = [];
  for (const record of records) {
    yield;
    messages.push(toAnswerMessage({ ...record, respondentId, versionNumber, isTest }));
  }
  return messages;
}
