import { resolveReferences } from "./fuzz/resolve-references.ts";
import specs from "@asyncapi/specs";
import { externalEvent, externalEventBody } from "@canvass/events";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEdge, type Answer, type Edge } from "./start-edge.ts";

interface Message {
  payload: { $ref: string };
  examples: [{ payload: object; headers?: object }];
}

interface Webhook {
  post: {
    parameters: { name: string }[];
    requestBody: {
      content: { "application/json": { schema: { $ref: string }; examples: { event: { value: object } } } };
    };
  };
}

let edge: Edge;
let answer: Answer;
let openapi: Answer["body"];
beforeAll(async () => {
  edge = await startEdge({}, { config: { CANVASS_PUBLIC_URL: "https://surveys.example.org/at/" } });
  answer = await edge.call("/asyncapi.json", { token: null });
  openapi = (await edge.call("/openapi.json", { token: null })).body;
});
afterAll(() => edge[Symbol.asyncDispose]());

const ajv = addFormats.default(new Ajv({ strict: false, validateFormats: true }));

test("the document is public and valid AsyncAPI 3, by the specification's own schema and by a linter", async () => {
  expect(answer.status).toBe(200);
  const isAsyncapi = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(
    specs.schemasWithoutId["3.0.0"],
  );
  isAsyncapi(answer.body);
  expect(isAsyncapi.errors).toBe(null);
  // Of the servers, only the API asks for a token.
  const rules = { "info-license": "off", "security-defined": "off" } as const;
  const config = await createConfig({ extends: ["recommended"], rules });
  const findings = await lintFromString({ source: answer.text, config });
  expect(findings.map(({ message, location }) => `${message} ${location[0]?.pointer}`)).toEqual([]);
});

test("the document names webhooks and feed, at the address that callers know", () => {
  const { servers, channels, operations } = answer.body;
  expect(servers.api).toMatchObject({ host: "surveys.example.org", pathname: "/at/api/v1", protocol: "https" });
  expect(Object.keys(channels.webhook.messages)).toEqual(["ResponseCompletedEvent", "WebhookTestEvent"]);
  expect(Object.keys(channels.feed.messages)).toEqual(["FeedResponseCompletedEvent"]);
  expect(channels.feed.address).toBe("/events");
  expect(openapi.paths).toHaveProperty(["/api/v1/events"]);
  expect(operations.sendWebhook.bindings.http.method).toBe("POST");
  const { query } = operations.readFeed.bindings.http;
  const parameters = openapi.paths["/api/v1/events"].get.parameters.filter(
    (each: { in: string }) => each.in === "query",
  );
  expect(parameters.map((each: { name: string }) => each.name).toSorted()).toEqual(Object.keys(query.properties));
});

/** Returns a schema as OpenAPI writes it: without titles, which name components, and with single values as enums. */
function asOpenapi(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: { const?: unknown; title?: unknown } | null) => {
    if (key === "examples" || typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const { title: _, const: only, ...rest } = value;
    return only === undefined ? (typeof value.title === "object" ? value : rest) : { ...rest, enum: [only] };
  });
}

test("both documents have the same schemas of the events", () => {
  const { schemas } = resolveReferences(openapi as { components: { schemas: Record<string, object> } }).components;
  for (const [type, { post }] of Object.entries(openapi.webhooks as Record<string, Webhook>)) {
    const { schema, examples } = post.requestBody.content["application/json"];
    const name = schema.$ref.replace("#/components/schemas/", "");
    expect(schemas[name]).toEqual(asOpenapi(answer.body.components.schemas[name]));
    expect(answer.body.components.messages[name]).toMatchObject({ name: type });
    expect(answer.body.components.messages[name].examples[0].payload).toEqual(examples.event.value);
    const headers = post.parameters.map((each) => each.name);
    expect(headers).toEqual(Object.keys(answer.body.components.schemas.WebhookHeaders.properties));
  }
});

describe("sent events match the documentation", () => {
  const accepts = (name: string, value: unknown) => {
    const evaluate = ajv.compile(answer.body.components.schemas[name]);
    evaluate(value);
    return evaluate.errors;
  };

  test("every example, and no other kind of event", () => {
    const messages = Object.entries(answer.body.components.messages as Record<string, Message>);
    for (const [name, { examples, payload }] of messages) {
      const schema = payload.$ref.replace("#/components/schemas/", "");
      expect([name, accepts(schema, examples[0].payload)]).toEqual([name, null]);
      if (examples[0].headers) expect(accepts("WebhookHeaders", examples[0].headers)).toBe(null);
    }
    const { ResponseCompletedEvent, WebhookTestEvent } = Object.fromEntries(messages);
    expect(accepts("ResponseCompletedEvent", WebhookTestEvent!.examples[0].payload)).not.toBe(null);
    expect(accepts("WebhookTestEvent", ResponseCompletedEvent!.examples[0].payload)).not.toBe(null);
  });

  test("a completion, as services render it", () => {
    const value = { surveyId: "s", responseId: "r", completedAt: "2026-03-01", timestamp: "2026-03-01T00:00:00.000Z" };
    const event = { workspaceId: "w", body: { case: "responseCompleted", value } };
    const sent = JSON.parse(externalEventBody(externalEvent(event as never)!));
    expect(accepts("ResponseCompletedEvent", sent)).toBe(null);
    const { properties } = answer.body.components.schemas.ResponseCompletedEvent;
    expect(Object.keys(sent)).toEqual(Object.keys(properties));
    expect(Object.keys(sent.data)).toEqual(Object.keys(properties.data.properties));
  });
});

test("the document has an ETag and is not sent twice", async () => {
  const headers = { "if-none-match": answer.headers.get("etag")! };
  expect(await edge.call("/asyncapi.json", { token: null, headers })).toMatchObject({ status: 304, text: "" });
});
