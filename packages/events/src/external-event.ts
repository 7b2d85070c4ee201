import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event } from "@canvass/proto/events";

/** An event as webhooks and the feed show it (contract 8.1). */
export interface ExternalEvent {
  workspaceId: string;
  eventId: string;
  type: string;
  /** Exact, so never shown: `timestamp` is. */
  occurredAt: Date;
  timestamp: string;
  dataJson: string;
  /** Empty: none. */
  traceparent: string;
}

/** Returns undefined for internal types. The key order is fixed: an event always renders to the same bytes. */
export function externalEvent({
  workspaceId,
  eventId,
  occurredAt,
  traceparent,
  body,
}: Event): ExternalEvent | undefined {
  if (body.case !== "responseCompleted") return undefined;
  const { surveyId, responseId, completedAt, timestamp } = body.value;
  const data = { workspace_id: workspaceId, survey_id: surveyId, response_id: responseId, completed_at: completedAt };
  return {
    workspaceId,
    eventId,
    type: "response.completed",
    occurredAt: occurredAt ? timestampDate(occurredAt) : new Date(0),
    timestamp,
    dataJson: JSON.stringify(data),
    traceparent,
  };
}

type Shown = Pick<ExternalEvent, "type" | "timestamp" | "dataJson">;

/** Returns the body of a webhook (contract 8.6): `{type, timestamp, data}`. */
export function externalEventBody({ type, timestamp, dataJson }: Shown): string {
  return `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(timestamp)},"data":${dataJson}}`;
}
