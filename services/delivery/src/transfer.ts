import type { WorkspaceTransfer } from "@canvass/service";

/** Due deliveries continue at the target. An in-flight attempt counts as one without a response and is repeated. */
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
  left: {
    known_workspaces: "asked for at first use",
    webhooks: "asked for at first use",
    listening_intervals: "asked for at first use",
    plan_changes: "asked for at first use",
  },
};
