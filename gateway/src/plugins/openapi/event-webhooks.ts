const text = { type: "string" };

/** The events that webhooks are sent, for the OpenAPI document (spec 6.2, 6.3). */
export const eventWebhooks = {
  "response.completed": webhook("A respondent has finished a survey", "response.completed", {
    workspace_id: text,
    survey_id: text,
    response_id: { ...text, description: "the respondentId" },
    completed_at: { ...text, description: "date-time; only the day on a survey with full anonymity" },
  }),
  "webhook.test": webhook("A test was asked for", "webhook.test", {
    workspace_id: text,
    subscription_id: text,
    message: text,
  }),
};

function webhook(summary: string, type: string, data: Record<string, object>) {
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
