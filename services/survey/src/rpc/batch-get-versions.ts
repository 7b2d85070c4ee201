import type { MessageInitShape } from "@bufbuild/protobuf";
import type { BatchGetVersionsRequest, BatchGetVersionsResponseSchema } from "@canvass/proto/survey";
import type { SurveyContext } from "../context.ts";
import { isId } from "../domain/is-id.ts";
import { findVersions, type VersionRef } from "../storage/versions.ts";
import { requireBatchSize } from "./require-batch-size.ts";

/** Reads published versions, which never change: one statement for all of them. */
export async function batchGetVersions(
  { database: { sql } }: SurveyContext,
  { versions }: BatchGetVersionsRequest,
): Promise<MessageInitShape<typeof BatchGetVersionsResponseSchema>> {
  requireBatchSize(versions.length);
  const known = versions.filter(({ surveyId, versionId }) => isId(surveyId) && isId(versionId));
  const unique = new Map(known.map((ref) => [versionKey(ref), ref]));
  const rows = await findVersions(sql, [...unique.values()]);
  const found = new Map(rows.map((row) => [versionKey(row), row]));
  return {
    versions: versions.map((ref) => {
      const { versionId, versionNumber, definitionJson } = found.get(versionKey(ref)) ?? {};
      return { versionId: versionId ?? "", versionNumber: versionNumber ?? 0, definitionJson: definitionJson ?? "" };
    }),
  };
}

function versionKey({ workspaceId, surveyId, versionId }: VersionRef): string {
  return `${workspaceId} ${surveyId} ${versionId}`;
}
