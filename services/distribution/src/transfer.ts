import type { WorkspaceTransfer } from "@canvass/service";

export const transfer: WorkspaceTransfer = {
  moved: [
    { table: "distributors" },
    { table: "issued_links" },
    { table: "opened_counts" },
    { table: "contacts" },
    { table: "contact_counters" },
    { table: "contact_activities" },
    { table: "contact_replays" },
    { table: "contact_erasures" },
    { table: "contact_imports" },
    { table: "staged_rows" },
  ],
};
