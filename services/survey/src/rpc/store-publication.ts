import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { appendEvents, newEvent } from "@canvass/events";
import { newId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { PublishSurveyResponseSchema } from "@canvass/proto/survey-drafts";
import type { SurveyDefinition } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { WrittenDefinition } from "../domain/written-definition.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { dropPages } from "../storage/drop-pages.ts";
import { insertVersion } from "../storage/versions.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { backUpDraft } from "./back-up-draft.ts";
import { recordCollecting } from "./collecting-change.ts";
import { appendAuditEvent } from "./append-audit-event.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";
import { surveyTag } from "./survey-message.ts";

/** `frozen` is the draft without its empty pages. */
interface Publication {
  draft: SurveyDefinition;
  frozen: SurveyDefinition;
  written: WrittenDefinition;
  note: string;
}

export async function storePublication(
  sql: Sql,
  publishedAt: Date,
  survey: SurveyRecord,
  { draft, frozen, written, note }: Publication,
  call: Call,
): Promise<MessageInitShape<typeof PublishSurveyResponseSchema>> {
  const { workspaceId, surveyId, questionCount } = survey;
  const versionId = newId(publishedAt);
  const versionNumber = survey.publishedVersion + 1;
  await backUpDraft(sql, survey, call, "before_publish", publishedAt);
  const droppedPages = draft.pages.length - frozen.pages.length;
  await dropPages(sql, survey, draft, frozen);
  const version = { workspaceId, surveyId, versionId, versionNumber, questionCount, note, publishedAt };
  await insertVersion(sql, { ...version, ...written, publishedBy: call.caller.personId });
  const state = { active: true, publishedVersion: versionNumber, publishedVersionId: versionId, draftChanged: false };
  const published = await saveSurvey(sql, survey, state, publishedAt);
  await recordCollecting(sql, published, publishedAt);
  const value = { surveyId, versionId, versionNumber };
  const body = { case: "surveyPublished" as const, value };
  await appendEvents(sql, [newEvent({ workspaceId, occurredAt: publishedAt, body })]);
  await appendAuditEvent(sql, call, {
    at: publishedAt,
    action: "survey.published",
    resourceId: surveyId,
    before: { version: survey.publishedVersion || null },
    after: { version: versionNumber, versionId, note, questionCount, ...(droppedPages > 0 && { droppedPages }) },
  });
  await enforceStorageQuota(sql, survey, call);
  return { versionId, versionNumber, publishedAt: timestampFromDate(publishedAt), etag: surveyTag(published) };
}
