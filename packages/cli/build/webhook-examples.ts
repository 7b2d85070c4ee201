/** The parts of an OpenAPI document that show what webhooks are sent. */
export interface Document {
  webhooks: Record<string, { post: Webhook }>;
}

interface Webhook {
  parameters: { in: string; name: string; example: string }[];
  requestBody: { content: Record<string, { examples: Record<string, { value: object }> }> };
}

/** Returns each webhook's headers and body as the document shows them, by event type. */
export function webhookExamples({ webhooks }: Document) {
  return Object.fromEntries(Object.entries(webhooks).map(([type, { post }]) => [type, exampleOf(type, post)]));
}

function exampleOf(type: string, { parameters, requestBody }: Webhook) {
  const [contentType, content] = Object.entries(requestBody.content)[0]!;
  const [example] = Object.values(content.examples);
  if (!example) throw new Error(`the document shows no body of ${type}`);
  const headers = parameters.filter((each) => each.in === "header").map(({ name, example }) => [name, example]);
  return {
    headers: { "content-type": contentType, ...(Object.fromEntries(headers) as Record<string, string>) },
    event: example.value,
  };
}
