import type { Event } from "@canvass/proto/events";

/** An event as the world outside sees it, in a webhook or in the feed (contract 8.1). */
export interface ExternalEvent {
  type: string;
  /** ISO 8601 date-time. */
  timestamp: string;
  /** JSON object. */
  dataJson: string;
}

/**
 * The outside form of an event; undefined for kinds that are told to no one outside. The keys have a fixed order, so
 * an event gives the same bytes wherever and whenever it is rendered: feed and webhook, first attempt and last.
 */
export function externalEvent({ workspaceId, body }: Event): ExternalEvent | undefined {
  if (body.case !== "responseCompleted") return undefined;
  const { surveyId, responseId, completedAt, timestamp } = body.value;
  const data = { workspace_id: workspaceId, survey_id: surveyId, response_id: responseId, completed_at: completedAt };
  return { type: "response.completed", timestamp, dataJson: JSON.stringify(data) };
}

/** The body of a webhook (contract 8.6): `{type, timestamp, data}`. */
export function externalEventBody({ type, timestamp, dataJson }: ExternalEvent): string {
  return `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(timestamp)},"data":${dataJson}}`;
}
