import type { WorkspacePart } from "@canvass/proto/transfer";

/** Whether the part has events that a consumer has not confirmed. Imported, they could reach it before its own data. */
export const hasEventsUnderWay = ({ part }: WorkspacePart): boolean =>
  part.case === "rows" && part.value.shape?.table === "outbox_events" && part.value.rows.length > 0;
