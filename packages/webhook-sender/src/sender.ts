import { LRUCache } from "lru-cache";
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { isIP } from "node:net";
import { createAddressPolicy, type AddressPolicyOptions } from "./address-policy.ts";
import { createConnections, type Connections } from "./connections.ts";
import { createDestinationCheck, type Destination } from "./destinations.ts";
import { exchange, type Exchange, type WebhookRequest } from "./exchange.ts";
import { reasonOfError, type FailureReason, type Outcome } from "./outcome.ts";
import { createResolveHost, type ResolveHost } from "./resolve-host.ts";
import { destinationHost } from "./webhook-url.ts";

export interface WebhookMessage {
  url: string;
  webhookId: string;
  /** Unix seconds. */
  timestamp: number;
  /** JSON, sent byte for byte. */
  body: string;
  /** W3C Trace Context; empty or absent: none is sent. */
  traceparent?: string | undefined;
  /** `whsec_...`, newest first; one signature for each. */
  secrets: readonly string[];
  /** Milliseconds for this message, if fewer than the sender's. */
  budgetMs?: number;
  /** Uses a new connection, as retries and tests do. Default false. */
  newConnection?: boolean;
}

export interface SendResult {
  outcome: Outcome;
  /** From the first lookup to the end of the response. */
  durationMs: number;
  statusCode: number | undefined;
  responseBody: string;
  reason: FailureReason | undefined;
  /** Why there is no response, for the log. */
  detail: string | undefined;
}

export interface WebhookSenderOptions extends AddressPolicyOptions {
  /** PEM; trusted in addition to the usual authorities. */
  extraCa?: string | undefined;
  resolve?: ResolveHost;
  /** Milliseconds for which a lookup is shared. Default 1,000; 0: none. */
  shareLookupsMs?: number;
  /** Milliseconds for lookup, connection and response together. Default 10,000 (contract 8.8). */
  budgetMs?: number;
  /** Milliseconds that an idle connection stays open. Default 4,000: many receivers close theirs after five seconds. */
  idleMs?: number;
}

export interface WebhookSender extends AsyncDisposable {
  /** Never rejects. */
  send(message: WebhookMessage): Promise<SendResult>;
  checkDestination(url: URL): Promise<Destination>;
}

/** Milliseconds after which the next address is tried. */
const CONNECT_SHARE_MS = 3000;

const SECRET_PREFIX = "whsec_";
const keys = new LRUCache<string, KeyObject>({ max: 10_000 });

/** Sends webhooks (contract 8.4, 8.6-8.8). Checks the host at every send and connects to checked addresses only. */
export function createWebhookSender(options: WebhookSenderOptions = {}): WebhookSender {
  const { resolve = createResolveHost(), shareLookupsMs = 1000, budgetMs = 10_000, idleMs = 4000 } = options;
  const policy = createAddressPolicy(options);
  const connections = createConnections({ policy, extraCa: options.extraCa, idleMs });
  const destinationOf = createDestinationCheck({ policy, resolve, shareMs: shareLookupsMs, lookUpMs: budgetMs });

  return {
    checkDestination: (url) => destinationOf(url),
    async send(message) {
      const start = performance.now();
      const messageMs = Math.min(budgetMs, message.budgetMs ?? budgetMs);
      const took = () => Math.round(performance.now() - start);
      const url = URL.parse(message.url);
      if (url?.protocol !== "https:") return failure({ outcome: "blocked", detail: "not an https URL" }, took());
      const destination = await destinationOf(url, messageMs);
      if (destination.state === "refused") return failure({ outcome: "blocked", detail: destination.reason }, took());
      if (destination.state === "unresolved") {
        const { reason: detail } = destination;
        return failure({ outcome: "connection_error", reason: "dns_failed", detail }, took());
      }
      const ended = await deliver(connections, url, destination.addresses, message, start + messageMs);
      return { ...evaluate(ended), durationMs: took() };
    },
    async [Symbol.asyncDispose]() {
      connections[Symbol.dispose]();
    },
  };
}

function failure(
  told: Pick<SendResult, "outcome" | "detail"> & Partial<Pick<SendResult, "reason">>,
  durationMs: number,
): SendResult {
  return { reason: undefined, ...told, durationMs, statusCode: undefined, responseBody: "" };
}

function requestOf({ webhookId, timestamp, body, secrets, traceparent }: WebhookMessage): WebhookRequest {
  const headers = {
    "content-type": "application/json",
    "user-agent": "Canvass-Webhooks/1",
    "webhook-id": webhookId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureHeader(signedContent(webhookId, timestamp, body), secrets),
    ...(traceparent && { traceparent }),
  };
  return { headers, body };
}

/** Returns the signed content (contract 8.7). `timestamp` is in Unix seconds. */
export function signedContent(webhookId: string, timestamp: number, body: string): string {
  return `${webhookId}.${timestamp}.${body}`;
}

/** Returns the `webhook-signature` header: `v1,` and a base64 HMAC-SHA256 for each secret (contract 8.7). */
export function signatureHeader(content: string, secrets: readonly string[]): string {
  return secrets
    .map((secret) => `v1,${createHmac("sha256", keyOf(secret)).update(content).digest("base64")}`)
    .join(" ");
}

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const key = createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), "base64"));
  keys.set(secret, key);
  return key;
}

async function deliver(
  connections: Connections,
  url: URL,
  addresses: readonly string[],
  message: WebhookMessage,
  deadline: number,
): Promise<Exchange> {
  const host = destinationHost(url);
  const servername = isIP(host) === 0 ? host : undefined;
  const request = requestOf(message);
  let ended: Exchange | undefined;
  for (const [index, address] of addresses.entries()) {
    const target = { url, servername, address };
    const left = () => deadline - performance.now();
    if (ended && left() <= 0) break;
    if (message.newConnection) connections.closeIdle(target);
    const send = () => {
      const connectMs = index < addresses.length - 1 ? CONNECT_SHARE_MS : left();
      return exchange(connections, target, request, left(), connectMs);
    };
    ended = await send();
    if (isStale(ended)) {
      connections.closeIdle(target);
      ended = await send();
    }
    if (ended.reached !== "connecting") break;
  }
  return ended!;
}

/** True if the receiver had closed the idle connection. `webhook-id` makes it safe to resend (RFC 9112, 9.3.1). */
function isStale({ reused, reached, timedOut }: Exchange): boolean {
  return reused && reached === "sent" && !timedOut;
}

function evaluate(ended: Exchange): Omit<SendResult, "durationMs"> {
  const { statusCode, reached, timedOut, error } = ended;
  const rest = { statusCode, responseBody: ended.body, reason: undefined, detail: undefined };
  if (statusCode !== undefined) return { ...rest, outcome: outcomeOf(statusCode) };
  if (timedOut && reached !== "connecting") return { ...rest, outcome: "no_response", detail: "no answer in time" };
  const failed = { ...rest, outcome: "connection_error" } as const;
  if (timedOut) return { ...failed, reason: "connect_timeout", detail: "the connection was not made in time" };
  const detail = error?.message ?? "no status line";
  return { ...failed, reason: reached === "heard" || !error ? "bad_http" : reasonOfError(error), detail };
}

function outcomeOf(statusCode: number): Outcome {
  if (statusCode >= 200 && statusCode < 300) return "success";
  return statusCode === 410 ? "gone" : "http_error";
}
