import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { entityTag, isId } from "@canvass/values";
import type { GetVersionRequest, GetVersionResponseSchema } from "@canvass/proto/survey-versions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { findVersionWithDefinition } from "../storage/versions.ts";
import { requireSurvey } from "./require-survey.ts";
import { toVersionMessage } from "./version-message.ts";

/** Returns a version without its translations. The response and its entity tag never change. */
export async function getVersion(
  { database: { sql } }: SurveyContext,
  { surveyId, versionId }: GetVersionRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetVersionResponseSchema>> {
  await requireSurvey(sql, { workspaceId, surveyId });
  const found = isId(versionId)
    ? await findVersionWithDefinition(sql, { workspaceId, surveyId, versionId })
    : undefined;
  if (!found) throw new AppError("version_not_found");
  const { definitionJson, ...version } = found;
  return { version: toVersionMessage(version), definitionJson, etag: entityTag("version", versionId, 1) };
}
