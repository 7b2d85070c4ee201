import type { WorkspaceTransfer } from "@canvass/service";

export const transfer: WorkspaceTransfer = {
  moved: [
    { table: "surveys" },
    { table: "response_counts" },
    { table: "workspace_storage" },
    { table: "pages" },
    { table: "elements" },
    { table: "retired_elements" },
    { table: "kept_questions" },
    { table: "versions" },
    { table: "backups" },
    { table: "document_keys" },
  ],
  left: { survey_locks: "they are leases, and end soon" },
};
