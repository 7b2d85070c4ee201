import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { BackupSchema } from "@canvass/proto/survey-drafts";
import type { BackupRecord } from "../storage/backups.ts";

export function toBackupMessage({ createdAt, ...backup }: BackupRecord): MessageInitShape<typeof BackupSchema> {
  return { ...backup, createdAt: timestampFromDate(createdAt) };
}
