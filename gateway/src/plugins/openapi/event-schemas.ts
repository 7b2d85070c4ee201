import { Type, type TObject, type TProperties } from "typebox";

/** An event as receivers see it (contract 8.1, 8.6). The source of the OpenAPI and the AsyncAPI document. */
export interface DescribedEvent {
  name: string;
  summary: string;
  inFeed: boolean;
  isRetried: boolean;
  body: TObject;
  example: { type: string; timestamp: string; data: object };
}

const id = (example: string, description: string) => Type.String({ description, examples: [example] });
const workspaceId = id("01h8x2f5k8m1q4sv", "the workspace");

export const eventSchemas: Record<string, DescribedEvent> = {
  "response.completed": described("ResponseCompletedEvent", "response.completed", "A respondent finished a survey", {
    workspace_id: workspaceId,
    survey_id: id("01h8x3k9q2m4a7zp", "the survey"),
    response_id: id(
      "01h8x4v2c6n8b5tq",
      "the respondent: `GET /response/surveys/{surveyId}/respondents/{respondentId}`",
    ),
    completed_at: Type.String({
      description: "date-time; only the day on a survey with full anonymity. Orders events.",
      examples: ["2026-01-31T12:00:00.000Z"],
    }),
  }),
  "webhook.test": {
    ...described("WebhookTestEvent", "webhook.test", "A test of a webhook was asked for", {
      workspace_id: workspaceId,
      subscription_id: id("01h8x6j1r9t3y7wd", "the webhook under test"),
      message: Type.String({ description: "for people to read", examples: ["This is a test."] }),
    }),
    inFeed: false,
    isRetried: false,
  },
};

/** Headers of a webhook request (contract 8.6, 8.7). */
export const webhookHeaders = Type.Object({
  "webhook-id": id("01h8x7m3k5p9r2tb", "the event's id, the same on every retry; deduplicate by it"),
  "webhook-timestamp": Type.String({
    pattern: "^[0-9]+$",
    description: "when this attempt was sent, in Unix seconds; refuse requests that are more than five minutes off",
    examples: ["1769860800"],
  }),
  "webhook-signature": Type.String({
    description: "`v1,` and a base64 HMAC-SHA256; two, separated by a space, for 24 hours after a rotation",
    examples: ["v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="],
  }),
  "user-agent": Type.String({ const: "Canvass-Webhooks/1" }),
  traceparent: Type.Optional(
    Type.String({
      description: "W3C Trace Context of the attempt, if the event is traced",
      examples: ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
    }),
  ),
});

function described(name: string, type: string, summary: string, data: TProperties): DescribedEvent {
  const timestamp = "2026-01-31T12:00:00.000Z";
  const body = Type.Object(
    {
      type: Type.String({ const: type }),
      timestamp: Type.String({ format: "date-time", description: "when it happened" }),
      data: Type.Object(data, { title: `${name.replace(/Event$/, "")}Data` }),
    },
    { title: name, description: summary },
  );
  return { name, summary, inFeed: true, isRetried: true, body, example: { type, timestamp, data: exampleOf(data) } };
}

export function exampleOf(fields: TProperties): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields as Record<string, { const?: unknown; examples?: unknown[] }>).map(([name, field]) => [
      name,
      field.const ?? field.examples?.[0],
    ]),
  );
}
