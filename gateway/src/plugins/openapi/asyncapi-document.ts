import { Type } from "typebox";
import { apiVersion } from "../responses/envelope.ts";
import { eventSchemas, exampleOf, webhookHeaders, type DescribedEvent } from "./event-schemas.ts";
import { feedEvents, feedItemName, feedItemSchema } from "./feed-event-schema.ts";

const events = Object.values(eventSchemas);

/** Builds an AsyncAPI 3 document from the schemas of the OpenAPI webhooks. `apiUrl` includes the prefix. */
export function asyncapiDocument(apiUrl: string): object {
  const { host, pathname, protocol } = new URL(apiUrl);
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Canvass events",
      version: apiVersion,
      description:
        "The events of a workspace, as signed webhooks to your receiver or as a feed that you read. Subscribe with `POST /event-subscriptions` of the API, which `openapi.json` beside this document describes; `/docs/webhooks` explains how to receive webhooks.",
    },
    defaultContentType: "application/json",
    servers: {
      receiver: {
        host: "{receiver}",
        protocol: "https",
        description: "Your server, at the `url` of the subscription: public, HTTPS, port 443.",
        variables: { receiver: { description: "host of the subscription's `url`", examples: ["example.com"] } },
      },
      api: {
        host,
        pathname,
        protocol: protocol.replace(":", ""),
        description: "The API, which serves the feed.",
        security: [{ $ref: "#/components/securitySchemes/bearer" }],
      },
    },
    channels: { webhook: webhookChannel, feed: feedChannel },
    operations: { sendWebhook, readFeed },
    components: {
      messages: Object.fromEntries([
        ...events.map((event) => [event.name, webhookMessage(event)]),
        ...feedEvents.map((event) => [feedItemName(event.name), feedMessage(event)]),
      ]),
      schemas: {
        ...Object.fromEntries(events.map(({ name, body }) => [name, body])),
        ...Object.fromEntries(feedEvents.map((event) => [feedItemName(event.name), feedItemSchema(event)])),
        WebhookHeaders: webhookHeaders,
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A token of `POST /tokens` with `events:read`." },
      },
    },
  };
}

const reference = (path: string) => ({ $ref: `#/${path}` });
const references = (path: string, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, reference(`${path}/${name}`)]));

const webhookNames = events.map(({ name }) => name);
const feedNames = feedEvents.map(({ name }) => feedItemName(name));

const webhookChannel = {
  title: "Webhook",
  // No address, since it is the subscription's own `url`.
  description: "One request for each event and webhook, signed by the Standard Webhooks scheme.",
  servers: [reference("servers/receiver")],
  messages: references("components/messages", webhookNames),
};

const feedChannel = {
  title: "Event feed",
  address: "/events",
  description:
    "Oldest first, gap-free, kept for 30 days. Each message is an item of a page's `data`; send `pagination.cursor_next` back as `cursor`, at once while `pagination.hasMore`.",
  servers: [reference("servers/api")],
  messages: references("components/messages", feedNames),
};

const sendWebhook = {
  action: "send",
  channel: reference("channels/webhook"),
  summary: "Canvass posts an event to your server",
  description:
    "Answer 2xx within 10 seconds. 410 disables the subscription; any other response, including a redirect, is retried: nine attempts in 3.7 days. Events arrive at least once, in any order: deduplicate by `webhook-id`. A `webhook.test` is sent once and changes nothing.",
  messages: webhookNames.map((name) => reference(`channels/webhook/messages/${name}`)),
  bindings: { http: { method: "POST", bindingVersion: "0.3.0" } },
};

const readFeed = {
  action: "send",
  channel: reference("channels/feed"),
  summary: "Canvass returns a page of events on request",
  messages: feedNames.map((name) => reference(`channels/feed/messages/${name}`)),
  bindings: {
    http: {
      method: "GET",
      query: Type.Object({
        cursor: Type.Optional(Type.String({ description: "`pagination.cursor_next` of the previous page" })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
      }),
      bindingVersion: "0.3.0",
    },
  },
};

function webhookMessage({ name, summary, example }: DescribedEvent) {
  return {
    name: example.type,
    title: summary,
    headers: reference("components/schemas/WebhookHeaders"),
    payload: reference(`components/schemas/${name}`),
    examples: [{ name, headers: exampleOf(webhookHeaders.properties), payload: example }],
  };
}

function feedMessage({ name, summary, example }: DescribedEvent) {
  const payload = { id: "01h8x7m3k5p9r2tb", ...example, cursor: "MDFoOHg3bTNrNXA5cjJ0Yg" };
  return {
    name: example.type,
    title: summary,
    payload: reference(`components/schemas/${feedItemName(name)}`),
    examples: [{ name: feedItemName(name), payload }],
  };
}
