import { requireIfMatch, validationFailed, type Violation } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { sameLists, type SurveyLists } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { readLists, saveLists } from "../storage/survey-lists.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { backUpOldDraft } from "./back-up-draft.ts";
import { appendAuditEvent } from "./append-audit-event.ts";
import { requireLockedMatchingSurvey, validateShapeOnFailure } from "./require-survey.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";

export interface ListReplacement {
  surveyId: string;
  ifMatch: readonly string[];
  shapeViolations: Violation[];
  /** Returns the list, with the violations that depend on the survey. */
  read: (sql: Sql, survey: SurveyRecord) => Promise<{ list: SurveyLists; violations: Violation[] }>;
  action: "survey.fields_replaced" | "survey.quotas_replaced";
  audited: (lists: SurveyLists) => Record<string, unknown>;
}

/** Replaces a list of the draft, such as its quotas. Writes nothing if nothing changes. */
export async function replaceList(
  context: SurveyContext,
  sql: Sql,
  call: Call,
  { surveyId, ifMatch, shapeViolations, read, action, audited }: ListReplacement,
): Promise<{ survey: SurveyRecord; lists: SurveyLists }> {
  requireIfMatch(ifMatch);
  const ref = { workspaceId: call.caller.workspaceId, surveyId };
  const find = () => requireLockedMatchingSurvey(sql, ref, ifMatch);
  const survey = await validateShapeOnFailure(() => shapeViolations, find);
  if (shapeViolations.length > 0) throw validationFailed(shapeViolations);
  const { list, violations } = await read(sql, survey);
  if (violations.length > 0) throw validationFailed(violations);
  const before = await readLists(sql, survey);
  const lists = { ...before, ...list };
  if (sameLists(before, lists)) return { survey, lists };
  const now = context.now();
  await backUpOldDraft(sql, survey, call, now);
  await saveLists(sql, survey, lists);
  const saved = await saveSurvey(sql, survey, { draftChanged: true }, now);
  const change = { at: now, action, resourceId: surveyId, before: audited(before), after: audited(lists) };
  await appendAuditEvent(sql, call, change);
  await enforceStorageQuota(sql, survey, call);
  return { survey: saved, lists };
}
