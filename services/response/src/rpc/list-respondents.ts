import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createYielder, runWithYielder } from "@canvass/fairness";
import { refuseViolations, respondentsQuery, respondentStatuses, shapeViolations } from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import type { ListRespondentsRequest, ListRespondentsResponseSchema, Respondent } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { percentComplete } from "../domain/submissions/progress.ts";
import { collectedDefinition } from "../application/results/read-filter.ts";
import { fieldFilterViolations } from "../domain/results/read-result-filter.ts";
import { readRespondentPage } from "../application/reading/respondent-page.ts";
import { currentAnswerMessages, toRespondentMessage } from "../application/respondents/respondent-message.ts";
import { findHorizon } from "../storage/advisory-locks.ts";
import type { RespondentFilter } from "../storage/respondents/respondent-pages.ts";
import { requireSurvey } from "../application/surveys/require-survey.ts";

/** Returns a page of a survey's respondents (contract 7.10). */
export async function listRespondents(
  context: ResponseContext,
  request: ListRespondentsRequest,
  { caller: { workspaceId, timeZone }, signal }: Call,
): Promise<MessageInitShape<typeof ListRespondentsResponseSchema>> {
  const { database, surveys, cursors, givenClock } = context;
  const { surveyId, limit, withAnswers } = request;
  const filter = toFilter({ workspaceId, timeZone }, request);
  const page = openPage<readonly [string]>(cursors, bindingOf(filter), request);
  refuseViolations([...(await fieldViolations(context, filter)), ...filterViolations(filter), ...page.violations]);
  await requireSurvey(context, filter);
  const horizon = await findHorizon(database.sql, filter, givenClock);
  const read = { filter, after: page.after?.[0], horizon, limit, showsAnswers: withAnswers, signal };
  const { respondents, end, hasMore } = await readRespondentPage(database.sql, read);
  const yieldIfDue = createYielder();
  const messages: Respondent[] = [];
  for (const respondent of respondents) {
    await yieldIfDue();
    const { versionId } = respondent;
    const { definition } = await surveys.version({ workspaceId, surveyId, versionId });
    const message = toRespondentMessage({ ...respondent, surveyId }, percentComplete(definition, respondent));
    if (withAnswers) message.answers = await runWithYielder(yieldIfDue, currentAnswerMessages(respondent, definition));
    messages.push(message);
  }
  return { respondents: messages, nextCursor: page.cursorAt([end ?? ""]), hasMore };
}

function toFilter(
  caller: Pick<RespondentFilter, "workspaceId" | "timeZone">,
  request: ListRespondentsRequest,
): RespondentFilter {
  const { surveyId, completed, status, from, to, distributorId, contactId, fields } = request;
  return {
    ...caller,
    surveyId,
    isCompleted: completed,
    status: respondentStatuses.find((known) => known === status),
    from: from && timestampDate(from),
    to: to && timestampDate(to),
    distributorId,
    contactId,
    fields,
  };
}

function bindingOf({ workspaceId, surveyId, isCompleted, status, from, to, ...filter }: RespondentFilter) {
  const { distributorId, contactId, fields = {} } = filter;
  const ofFields = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    "respondents",
    workspaceId,
    surveyId,
    isCompleted,
    status,
    from?.getTime(),
    to?.getTime(),
    distributorId,
    contactId,
    // Absent without such filters, so that cursors of older versions stay valid.
    ...(ofFields.length > 0 ? [JSON.stringify(ofFields)] : []),
  ];
}

/** Refuses names of fields that the survey does not have: they would find nobody. */
async function fieldViolations(context: ResponseContext, { fields = {}, ...survey }: RespondentFilter) {
  if (Object.keys(fields).length === 0) return [];
  await requireSurvey(context, survey);
  return fieldFilterViolations(fields, await collectedDefinition(context, survey));
}

function filterViolations({ distributorId, contactId }: RespondentFilter) {
  const { properties } = respondentsQuery;
  return [
    ...(distributorId === undefined ? [] : shapeViolations(properties.distributorId, distributorId, "distributorId")),
    ...(contactId === undefined ? [] : shapeViolations(properties.contactId, contactId, "contactId")),
  ];
}
