import type { WorkspaceTransfer } from "@canvass/service";

/** What is due goes on where it was; an attempt under way counts as one without an answer, and is made again. */
export const transfer: WorkspaceTransfer = {
  moved: [
    { table: "deliveries" },
    { table: "due_deliveries" },
    { table: "endpoint_queues" },
    { table: "attempts" },
    { table: "endpoint_health" },
    { table: "disable_requests" },
    { table: "range_redeliveries" },
  ],
};
