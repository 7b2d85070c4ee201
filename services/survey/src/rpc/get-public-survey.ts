import type { MessageInitShape } from "@bufbuild/protobuf";
import { isId } from "@canvass/values";
import type { GetPublicSurveyRequest, GetPublicSurveyResponseSchema } from "@canvass/proto/survey";
import type { SurveyContext } from "../context.ts";
import { findPublicSurvey } from "../storage/public-survey.ts";
import { toCollectionMessage } from "./batch-get-collections.ts";

export async function getPublicSurvey(
  { database }: SurveyContext,
  { workspaceId, surveyId }: GetPublicSurveyRequest,
): Promise<MessageInitShape<typeof GetPublicSurveyResponseSchema>> {
  const row = isId(surveyId) ? await findPublicSurvey(database.sql, { workspaceId, surveyId }) : undefined;
  if (!row) return { collection: { found: false } };
  const { name, description, language, ...collection } = row;
  return { name, description, language, collection: toCollectionMessage(collection) };
}
