import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { requireBatchSize } from "@canvass/inputs";
import { isId } from "@canvass/values";
import type {
  BatchGetCollectionsRequest,
  BatchGetCollectionsResponseSchema,
  CollectionSchema,
} from "@canvass/proto/survey";
import { toErrorDetail } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { hasPassword, settingsForCollecting } from "../domain/rendered-settings.ts";
import { findCollections, type CollectionRow } from "../storage/collections.ts";
import { refKey, uniqueRefs } from "./unique-refs.ts";

type Collection = MessageInitShape<typeof CollectionSchema>;

/** Unreadable settings fail only their own survey. */
export async function batchGetCollections(
  { database: { hot }, log }: SurveyContext,
  { surveys }: BatchGetCollectionsRequest,
): Promise<MessageInitShape<typeof BatchGetCollectionsResponseSchema>> {
  requireBatchSize("surveys", surveys);
  const known = surveys.filter(({ surveyId }) => isId(surveyId));
  const rows = await findCollections(hot.sql, uniqueRefs(known));
  const found = new Map(rows.map((row) => [refKey(row), collectionOrError(log, row)]));
  return { collections: surveys.map((ref) => found.get(refKey(ref)) ?? { found: false }) };
}

function collectionOrError(log: SurveyContext["log"], row: CollectionRow): Collection {
  try {
    return toCollectionMessage(row);
  } catch (err) {
    const { workspaceId, surveyId } = row;
    log.error({ err, workspaceId, surveyId }, "the settings of a survey cannot be read");
    return { error: toErrorDetail(new AppError("internal_error")) };
  }
}

export function toCollectionMessage(row: Omit<CollectionRow, "workspaceId" | "surveyId">): Collection {
  const { active, versionId, versionNumber, settingsJson, revision } = row;
  return {
    found: true,
    active,
    versionId: versionId ?? "",
    versionNumber,
    settingsJson: settingsForCollecting(settingsJson),
    hasPassword: hasPassword(settingsJson),
    revision: BigInt(revision),
  };
}
