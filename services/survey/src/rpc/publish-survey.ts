import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { newId, publishSurveyBody, shapeFaults, validationFailed } from "@canvass/inputs";
import { appendEvents, newEvent } from "@canvass/events";
import type { Sql } from "@canvass/postgres";
import { PublishSurveyResponseSchema, type PublishSurveyRequest } from "@canvass/proto/survey";
import { checkingDefinition } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import { inTurns } from "@canvass/telemetry";
import type { SurveyContext } from "../context.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { readDraft } from "../storage/draft.ts";
import { insertVersion, isVersionEqual } from "../storage/versions.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { recordChange } from "./record-change.ts";
import { requireMatchingSurvey, shapeFirst } from "./require-survey.ts";
import { surveyTag } from "./survey-message.ts";
import { writeCollecting } from "./write.ts";

/** Freezes the draft as the next version; the survey is active and collects with it from now on (contract 6.10). */
export async function publishSurvey(
  context: SurveyContext,
  { surveyId, ifMatch, note, acknowledge }: PublishSurveyRequest,
  call: Call,
): Promise<MessageInitShape<typeof PublishSurveyResponseSchema>> {
  const { workspaceId, personId } = call.caller;
  return writeCollecting(context, call, PublishSurveyResponseSchema, async (sql) => {
    const find = () => requireMatchingSurvey(sql, { workspaceId, surveyId }, ifMatch);
    const faultsOfBody = shapeFaults(publishSurveyBody, { note, acknowledge });
    const survey = await shapeFirst(() => faultsOfBody, find);
    const draft = await readDraft(sql, survey);
    const faults = [...faultsOfBody, ...(await inTurns(checkingDefinition(draft)))];
    if (faults.length > 0) throw validationFailed(faults);
    const definition = JSON.stringify(draft);
    await requireChange(sql, survey, definition);
    const publishedAt = context.now();
    const versionId = newId(publishedAt);
    const versionNumber = survey.publishedVersion + 1;
    const { questionCount } = survey;
    const version = { workspaceId, surveyId, versionId, versionNumber, questionCount, note, publishedAt };
    await insertVersion(sql, { ...version, definition, publishedBy: personId });
    const state = { active: true, publishedVersion: versionNumber, publishedVersionId: versionId, draftChanged: false };
    const published = await saveSurvey(sql, survey, state, publishedAt);
    const value = { surveyId, versionId, versionNumber };
    await appendEvents(sql, [
      newEvent({ workspaceId, occurredAt: publishedAt, body: { case: "surveyPublished", value } }),
    ]);
    await recordChange(sql, call, {
      at: publishedAt,
      action: "survey.published",
      resourceId: surveyId,
      before: { version: survey.publishedVersion || null },
      after: { version: versionNumber, versionId, note, questionCount },
    });
    return { versionId, versionNumber, publishedAt: timestampFromDate(publishedAt), etag: surveyTag(published) };
  });
}

/** Throws `nothing_to_publish` when the draft is what is published already, also when edits undid each other. */
async function requireChange(sql: Sql, survey: SurveyRecord, draft: string): Promise<void> {
  const { publishedVersionId: versionId, draftChanged } = survey;
  if (versionId === null) return;
  if (!draftChanged || (await isVersionEqual(sql, { ...survey, versionId }, draft))) {
    throw new AppError("nothing_to_publish");
  }
}
