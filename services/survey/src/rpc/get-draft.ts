import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { GetDraftRequest, GetDraftResponseSchema } from "@canvass/proto/survey-drafts";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { changesOf, readFormerQuestions } from "./draft-changes.ts";
import { readPublishedDefinition, readDraftSnapshot } from "./draft-snapshot.ts";
import { requireSurvey } from "./require-survey.ts";
import { surveyTag } from "./survey-message.ts";

/** Compares the draft with the published version (contract 6.13). Counts changes only, so it needs no other service. */
export async function getDraft(
  context: SurveyContext,
  { surveyId }: GetDraftRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetDraftResponseSchema>> {
  const survey = await requireSurvey(context.database.sql, { workspaceId, surveyId });
  const counted = survey.draftChanged ? await countChanges(context, survey) : { survey, changeCount: 0 };
  return toMessage(counted);
}

/** Caches the count until the next write: a comparison is slow, and clients poll the status. */
async function countChanges(
  context: SurveyContext,
  survey: SurveyRecord,
): Promise<{ survey: SurveyRecord; changeCount: number }> {
  const { changeCounts } = context;
  const keyOf = ({ workspaceId, surveyId, revision }: SurveyRecord) => `${workspaceId} ${surveyId} ${revision}`;
  const known = changeCounts.get(keyOf(survey));
  if (known !== undefined) return { survey, changeCount: known };
  const read = await readDraftSnapshot(context, survey);
  const base = await readPublishedDefinition(context, read.survey);
  const former = await readFormerQuestions(context.database.sql, read.survey, base, read.draft);
  const changeCount = (await changesOf(base, read.draft, former, new Map())).length;
  changeCounts.set(keyOf(read.survey), changeCount);
  return { survey: read.survey, changeCount };
}

function toMessage({ survey, changeCount }: { survey: SurveyRecord; changeCount: number }) {
  const { publishedVersion, draftChanged, draftEditedAt } = survey;
  const state = publishedVersion === 0 ? "never_published" : draftChanged ? "dirty" : "clean";
  const lastEditedAt = timestampFromMs(draftEditedAt);
  return { state, baseVersion: publishedVersion, changeCount, lastEditedAt, etag: surveyTag(survey) };
}
