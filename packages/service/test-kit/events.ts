import { newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";

let responses = 0;

export function completion(workspaceId: string, occurredAt: Date, surveyId = "survey"): Event {
  responses += 1;
  const at = occurredAt.toISOString();
  const value = { surveyId, responseId: `response${responses}`, completedAt: at, timestamp: at };
  return newEvent({ workspaceId, occurredAt, body: { case: "responseCompleted", value } });
}

export function planChange(workspaceId: string, plan: string, occurredAt: Date): Event {
  return newEvent({ workspaceId, occurredAt, body: { case: "workspacePlanChanged", value: { plan } } });
}
