import type { SurveyDefinition } from "@canvass/questions";
import { shownCompletion, shownStart } from "../respondents/recorded-time.ts";
import { type NewRespondent, respondentStatus } from "../respondents/respondent-state.ts";
import { toAnswerRecords } from "../submissions/answer-record.ts";

/** A row as a preview shows it. */
export function shownRow(respondent: NewRespondent, definition: SurveyDefinition) {
  const { respondentId, startedAt, completedAt, isAnonymous, language, externalId, metadata, fields } = respondent;
  const answers = toAnswerRecords(respondentId, respondent.answers, definition);
  return {
    status: respondentStatus(respondent),
    startedAt: shownStart(startedAt, isAnonymous).toISOString(),
    completedAt: completedAt && shownCompletion(completedAt, isAnonymous),
    language: language || null,
    externalId: externalId ?? null,
    metadata,
    fields,
    answers: answers.map(({ elementId, itemId, name, value }) => ({ elementId, itemId, name: name ?? null, value })),
  };
}
