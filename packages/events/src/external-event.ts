import type { Event } from "@canvass/proto/events";

/** An event as webhooks and the feed show it (contract 8.1). */
export interface ExternalEvent {
  type: string;
  timestamp: string;
  dataJson: string;
}

/** Returns undefined for internal types. The key order is fixed: an event always renders to the same bytes. */
export function externalEvent({ workspaceId, body }: Event): ExternalEvent | undefined {
  if (body.case !== "responseCompleted") return undefined;
  const { surveyId, responseId, completedAt, timestamp } = body.value;
  const data = { workspace_id: workspaceId, survey_id: surveyId, response_id: responseId, completed_at: completedAt };
  return { type: "response.completed", timestamp, dataJson: JSON.stringify(data) };
}

/** Returns the body of a webhook (contract 8.6): `{type, timestamp, data}`. */
export function externalEventBody({ type, timestamp, dataJson }: ExternalEvent): string {
  return `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(timestamp)},"data":${dataJson}}`;
}
