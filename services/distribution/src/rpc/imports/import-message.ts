import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { importStatus } from "@canvass/jobs/imports";
import type { ImportSchema } from "@canvass/proto/distribution-contacts";
import type { StoredImport } from "../../storage/imports/imports.ts";

export function importMessage(stored: StoredImport): MessageInitShape<typeof ImportSchema> {
  const { importId, mode, matchOn, total, created, updated, skipped, failed, createdAt, completedAt, error } = stored;
  const status = importStatus(stored);
  return {
    importId,
    status,
    mode,
    matchOn,
    total,
    created,
    updated,
    skipped,
    failed,
    errors: [...stored.errors],
    createdAt: timestampFromDate(createdAt),
    ...(completedAt && { completedAt: timestampFromDate(completedAt) }),
    errorCode: status === "failed" ? (error ?? "internal_error") : "",
  };
}
