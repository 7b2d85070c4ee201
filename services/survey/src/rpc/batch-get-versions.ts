import type { MessageInitShape } from "@bufbuild/protobuf";
import { requireBatchSize } from "@canvass/inputs";
import { isId, isStorable } from "@canvass/values";
import type { BatchGetVersionsRequest, BatchGetVersionsResponseSchema } from "@canvass/proto/survey-versions";
import type { SurveyContext } from "../context.ts";
import { findVersions, type FoundVersion, type LanguageRef } from "../storage/versions.ts";

/** Size limit of the definitions in one response, without their translations: two of the largest. */
const mostBytes = 8 * 1024 * 1024;

export async function batchGetVersions(
  { database: { hot } }: SurveyContext,
  { versions }: BatchGetVersionsRequest,
): Promise<MessageInitShape<typeof BatchGetVersionsResponseSchema>> {
  requireBatchSize("versions", versions);
  const rows = await findVersions(hot.sql, versions.map(blankIfMalformed), mostBytes);
  const found = new Map(rows.map((row) => [row.index, row]));
  return { versions: versions.map((_, index) => toMessage(found.get(index))) };
}

/** Clears a reference with a malformed id, which the database would reject. */
function blankIfMalformed({ workspaceId, surveyId, versionId, language }: LanguageRef): LanguageRef {
  const isPossible = isId(surveyId) && isId(versionId) && isStorable(language);
  return isPossible
    ? { workspaceId, surveyId, versionId, language }
    : { workspaceId: "", surveyId: "", versionId: "", language: "" };
}

function toMessage(version: FoundVersion | undefined) {
  if (!version) return { versionId: "", versionNumber: 0, definitionJson: "" };
  const { versionId, versionNumber, languages, definitionJson } = version;
  return {
    versionId,
    versionNumber,
    languages,
    definitionJson: definitionJson ?? "",
    leftOut: definitionJson === null,
  };
}
