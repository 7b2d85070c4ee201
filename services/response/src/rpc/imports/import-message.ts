import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { importStatus } from "@canvass/jobs/imports";
import type { ImportSchema } from "@canvass/proto/response-imports";
import type { StoredImport } from "../../storage/imports/response-imports.ts";

export function importMessage(
  stored: StoredImport,
  columnsLeftOut: readonly string[],
): MessageInitShape<typeof ImportSchema> {
  const { importId, surveyId, versionNumber, total, imported, skipped, failed, violations } = stored;
  const { createdAt, completedAt, error } = stored;
  const status = importStatus(stored);
  return {
    importId,
    surveyId,
    status,
    versionNumber,
    total,
    imported,
    skipped,
    failed,
    violations,
    errors: [...stored.errors],
    columnsLeftOut: [...columnsLeftOut],
    createdAt: timestampFromDate(createdAt),
    ...(completedAt && { completedAt: timestampFromDate(completedAt) }),
    errorCode: status === "failed" ? (error ?? "internal_error") : "",
  };
}
