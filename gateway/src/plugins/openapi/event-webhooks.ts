import { eventSchemas, exampleOf, webhookHeaders, type DescribedEvent } from "./event-schemas.ts";
import { pascalCase } from "./pascal-case.ts";

const descriptionOf = (
  sending: string,
) => `Signed by the Standard Webhooks scheme: verify before you believe it. ${sending} Redirects are
not followed. The page "Receiving webhooks" at \`/docs/webhooks\` tells how.`;

const untilTaken = {
  description:
    descriptionOf(`Sent at least once and in no certain order: deduplicate by \`webhook-id\`. After any other answer
than 2xx or 410 it is sent again: nine attempts in 3.7 days.`),
  gone: "Send nothing more: the subscription is disabled, what is queued is cancelled.",
};

const once = {
  description: descriptionOf("Sent once, whatever you answer: who asked for the test is told the answer."),
  gone: "The test's outcome is `gone`; a test changes no subscription.",
};

export const eventWebhooks = Object.fromEntries(
  Object.entries(eventSchemas).map(([type, event]) => [type, webhook(type, event)]),
);

function webhook(type: string, { summary, body, example, isRetried }: DescribedEvent) {
  const { description, gone } = isRetried ? untilTaken : once;
  return {
    post: {
      operationId: `receive${pascalCase(type)}`,
      tags: ["Webhooks"],
      summary,
      description,
      security: [],
      parameters: headerParameters(),
      requestBody: {
        required: true,
        content: { "application/json": { schema: body, examples: { event: { summary, value: example } } } },
      },
      responses: {
        "2XX": {
          description: "Received. The status line must arrive within 10 seconds; the body is ignored.",
        },
        "410": { description: gone },
      },
    },
  };
}

function headerParameters() {
  const examples = exampleOf(webhookHeaders.properties);
  const required: readonly string[] = webhookHeaders.required;
  return Object.entries(webhookHeaders.properties).map(([name, schema]) => ({
    in: "header",
    name,
    required: required.includes(name),
    description: (schema as { description?: string }).description ?? "the product",
    schema,
    example: examples[name],
  }));
}
