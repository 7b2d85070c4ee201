import { FileNotFound } from "./storage/file-store/file-store.ts";
import type { WorkspaceTransfer } from "@canvass/service";
import type { ResponseContext } from "./context.ts";
import { fileKey } from "./application/exports/export-work.ts";
import { exportFormats } from "./application/exports/formats/index.ts";
import { contentKey } from "./application/files/files.ts";
import { findFinishedExports } from "./storage/exports/exports.ts";
import { findStoredFiles } from "./storage/files/stored-files.ts";

export const transfer = ({ exports }: ResponseContext): WorkspaceTransfer => ({
  moved: [
    { table: "respondents" },
    { table: "answer_sets" },
    { table: "known_questions" },
    { table: "survey_counters" },
    { table: "completion_slots" },
    { table: "start_days" },
    { table: "activity_slots" },
    { table: "distributor_counters" },
    { table: "quota_counters" },
    { table: "used_links" },
    { table: "erased_contacts" },
    { table: "gone_contacts" },
    { table: "question_counters" },
    { table: "bucket_counters" },
    { table: "number_counters" },
    { table: "export_codes" },
    { table: "exports" },
    // A running export starts over, because its parts do not move.
    { table: "jobs", omitted: ["checkpoint"] },
    { table: "response_imports" },
    { table: "staged_rows" },
    { table: "uploaded_files" },
    { table: "file_totals" },
  ],
  left: {
    collecting_surveys: "asked for at first use",
    collecting_links: "asked for at first use",
    contact_completions: "triggers write them as respondents arrive",
    download_links: "they are signed with a key of the installation, and expire soon",
  },
  files: exports && {
    async keys(sql, workspaceId) {
      const stored = await findStoredFiles(sql, workspaceId);
      const finished = await findFinishedExports(sql, workspaceId);
      return [
        ...stored.map(contentKey),
        ...finished.map((made) => fileKey(made, made.revision, exportFormats[made.format].extension)),
      ];
    },
    read: (key) => exports.files.read(key),
    write: (key, chunks) => exports.files.write(key, chunks),
    isMissing: (error) => error instanceof FileNotFound,
  },
});
