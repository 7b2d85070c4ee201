import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError, orAppError } from "@canvass/errors";
import { appendEvents, auditEvent, newEvent } from "@canvass/events";
import { createYielder, runWithYielder } from "@canvass/fairness";
import { inTransaction, type Sql } from "@canvass/postgres";
import { findReplay, idempotently } from "@canvass/postgres/rpc";
import type { Event } from "@canvass/proto/events";
import {
  EraseRespondentResponseSchema,
  type EraseRespondentRequest,
  type EraseRespondentResponse,
} from "@canvass/proto/response";
import type { SurveyDefinition } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { BatchChanges } from "../domain/submissions/batch-changes.ts";
import type { RespondentState } from "../domain/respondents/respondent-state.ts";
import { uncountRespondent } from "../domain/results/uncount-respondent.ts";
import { requireRespondent } from "../application/respondents/require-respondent.ts";
import { deleteRespondent, findCountry } from "../storage/respondents/delete-respondent.ts";
import { expireExportsOf } from "../storage/exports/exports.ts";
import { dropRespondentFiles } from "../storage/files/deletions.ts";
import { eraseLinkUses } from "../storage/links/used-links.ts";
import { lockRespondents } from "../storage/respondents/respondent-rows.ts";
import { findSurveyResult } from "../storage/results/results.ts";
import { saveChanges } from "../storage/save-changes.ts";

/** Erases a respondent in one transaction (contract 7.12). Its row lock makes later submissions find no respondent. */
export async function eraseRespondent(
  context: ResponseContext,
  { surveyId, respondentId }: EraseRespondentRequest,
  call: Call,
): Promise<EraseRespondentResponse> {
  const { database, surveys, limitWrites } = context;
  const replay = await findReplay(database.sql, call, EraseRespondentResponseSchema, context.now());
  if (replay) return replay;
  const ref = { workspaceId: call.caller.workspaceId, surveyId, respondentId };
  // A respondent's version never changes, so fetch it before taking locks.
  const version = await orAppError(requireRespondent(context, ref).then((found) => surveys.version(found)));
  const write = (sql: Sql) =>
    idempotently(sql, call, EraseRespondentResponseSchema, context.now(), async () => {
      // Throw after the replay check: the first request with the same key may have finished meanwhile.
      if (version instanceof AppError) throw version;
      const [state] = (await lockRespondents(sql, [{ ...ref, answerKeys: null }])).states;
      // Test tokens erase test respondents only.
      if (state?.surveyId !== surveyId || (!call.caller.live && !state.isTest)) {
        throw new AppError("respondent_not_found");
      }
      return erase(context, sql, state, version.definition, call);
    });
  const receipt = await limitWrites(() => inTransaction(database.pool, write, { retryOnce: true }));
  context.outbox.nudge();
  context.exports?.clean();
  context.files?.clean();
  return receipt;
}

async function erase(
  { now }: ResponseContext,
  sql: Sql,
  state: RespondentState,
  definition: SurveyDefinition,
  call: Call,
): Promise<EraseRespondentResponse> {
  const at = now();
  const country = await findCountry(sql, state);
  const anonymousMilliseconds = await averageTime(sql, state);
  const changes = new BatchChanges();
  const uncounting = { definition, timeZone: call.caller.timeZone, now: at, anonymousMilliseconds };
  await runWithYielder(createYielder(), uncountRespondent({ ...state, country }, uncounting, changes));
  const files = await expireExportsOf(sql, state, at);
  if (state.distributorId !== "") await eraseLinkUses(sql, state);
  const uploadedFiles = await dropRespondentFiles(sql, state, at);
  await deleteRespondent(sql, state);
  await saveChanges(sql, changes);
  await appendEvents(sql, eventsOf(state, at, call));
  return create(EraseRespondentResponseSchema, {
    erasedAt: timestampFromDate(at),
    answers: state.answers.size,
    files,
    uploadedFiles,
  });
}

/** The duration of an anonymous respondent is unknown. Subtracting the average leaves the average unchanged. */
async function averageTime(sql: Sql, { isAnonymous, completedAt, workspaceId, surveyId }: RespondentState) {
  if (!isAnonymous || !completedAt) return 0;
  const { completed, completionMilliseconds } = await findSurveyResult(sql, workspaceId, surveyId);
  return completed > 0 ? Math.round(completionMilliseconds / completed) : 0;
}

/** The audit log names the survey, not the respondent. */
function eventsOf({ workspaceId, surveyId, answers, isTest, completedAt }: RespondentState, at: Date, call: Call) {
  const action = "survey.respondent_erased";
  const after = { answers: answers.size };
  const events: Event[] = [auditEvent(call, { source: "response", at, action, resourceId: surveyId, after })];
  if (isTest || !completedAt) return events;
  const body = { case: "responseErased" as const, value: { surveyId } };
  return [...events, newEvent({ workspaceId, occurredAt: at, body })];
}
