const text = (example: string, description?: string) => ({
  type: "string",
  examples: [example],
  ...(description && { description }),
});

/** The events that webhooks are sent, for the OpenAPI document (contract 8.1, 8.6). */
export const eventWebhooks = {
  "response.completed": webhook("A respondent has finished a survey", "response.completed", {
    workspace_id: text("01h8x2f5k8m1q4sv"),
    survey_id: text("01h8x3k9q2m4a7zp"),
    response_id: text("01h8x4v2c6n8b5tq", "the respondentId"),
    completed_at: text("2026-01-31T12:00:00.000Z", "date-time; only the day on a survey with full anonymity"),
  }),
  "webhook.test": webhook("A test was asked for", "webhook.test", {
    workspace_id: text("01h8x2f5k8m1q4sv"),
    subscription_id: text("01h8x6j1r9t3y7wd"),
    message: text("This is a test."),
  }),
};

function webhook(summary: string, type: string, data: Record<string, { examples: string[] }>) {
  const example = Object.fromEntries(Object.entries(data).map(([name, { examples }]) => [name, examples[0]]));
  return {
    post: {
      operationId: `receive_${type.replace(".", "_")}`,
      tags: ["Events"],
      summary,
      description: "Signed by the Standard Webhooks scheme. Deduplicate on `webhook-id`; the order is not guaranteed.",
      security: [],
      parameters: [
        header("webhook-id", "the event's id, the same on every retry"),
        header("webhook-timestamp", "when this attempt was sent, Unix seconds"),
        header("webhook-signature", "`v1,` and a base64 HMAC-SHA256; two during the 24 hours after a rotation"),
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["type", "timestamp", "data"],
              properties: {
                type: { type: "string", const: type },
                timestamp: { type: "string", format: "date-time" },
                data: { type: "object", required: Object.keys(data), properties: data },
              },
            },
            examples: { event: { summary, value: { type, timestamp: "2026-01-31T12:00:00.000Z", data: example } } },
          },
        },
      },
      responses: {
        "2XX": { description: "Received. Answer within 10 seconds." },
        "410": { description: "Send nothing more: the subscription is disabled." },
      },
    },
  };
}

function header(name: string, description: string) {
  return { in: "header", name, required: true, description, schema: { type: "string" } };
}
