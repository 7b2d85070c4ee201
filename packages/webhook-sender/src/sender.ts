import { isIP } from "node:net";
import { createAddressPolicy, type AddressPolicyOptions } from "./address-policy.ts";
import { createConnections, type Connections, type Target } from "./connections.ts";
import { createDestinations, type Destination } from "./destinations.ts";
import { exchange, type Exchange, type WebhookRequest } from "./exchange.ts";
import { createResolveHost, type ResolveHost } from "./resolve-host.ts";
import { responseText } from "./response-text.ts";
import { signatureHeader, signedContent } from "./signature.ts";
import type { Outcome } from "./outcome.ts";
import { destinationHost } from "./webhook-url.ts";

export interface WebhookMessage {
  url: string;
  /** `webhook-id`. */
  webhookId: string;
  /** `webhook-timestamp`, Unix seconds. */
  timestamp: number;
  /** JSON, sent byte for byte. */
  body: string;
  /** W3C Trace Context; empty or absent: none is sent. */
  traceparent?: string | undefined;
  /** `whsec_…`, newest first; one signature for each. */
  secrets: readonly string[];
  /** Milliseconds for this message, where they are fewer than the sender's own. */
  budgetMs?: number;
}

export interface SendResult {
  outcome: Outcome;
  /** From the first look-up to the end of the answer. */
  durationMs: number;
  statusCode: number | undefined;
  /** The start of the answer's body, safe to store. */
  responseBody: string;
  /** For the log: why no answer came. */
  reason: string | undefined;
}

export interface WebhookSenderOptions extends AddressPolicyOptions {
  /** PEM; trusted in addition to the usual authorities. */
  extraCa?: string | undefined;
  /** Default: hosts file and name servers. */
  resolve?: ResolveHost;
  /** Milliseconds for which a look-up is shared. Default 1,000; 0: none. */
  shareLookupsMs?: number;
  /** Milliseconds for look-up, connection and answer together. Default 10,000 (contract 8.8). */
  budgetMs?: number;
  /** Default 10,000. */
  idleMs?: number;
}

export interface WebhookSender extends AsyncDisposable {
  /** Never rejects. */
  send(message: WebhookMessage): Promise<SendResult>;
  /** For the check at registration (contract 8.4). */
  checkDestination(url: URL): Promise<Destination>;
}

/** After this the next address is tried. */
const CONNECT_SHARE_MS = 3000;

/**
 * Sends webhooks (contract 8.4, 8.6-8.8). Resolves and checks the host at every send and connects to a checked address,
 * without redirects, proxy or compression.
 */
export function createWebhookSender(options: WebhookSenderOptions = {}): WebhookSender {
  const { resolve = createResolveHost(), shareLookupsMs = 1000, budgetMs = 10_000, idleMs = 10_000 } = options;
  const policy = createAddressPolicy(options);
  const connections = createConnections({ policy, extraCa: options.extraCa, idleMs });
  const destinationOf = createDestinations({ policy, resolve, shareMs: shareLookupsMs });

  return {
    checkDestination: (url) => destinationOf(url, budgetMs),
    async send(message) {
      const start = performance.now();
      const messageMs = Math.min(budgetMs, message.budgetMs ?? budgetMs);
      const took = () => Math.round(performance.now() - start);
      const url = URL.parse(message.url);
      if (url?.protocol !== "https:") return failure("blocked", "not an https URL", took());
      const destination = await destinationOf(url, messageMs);
      if (destination.state === "refused") return failure("blocked", destination.reason, took());
      if (destination.state === "unresolved") return failure("connection_error", destination.reason, took());
      const ended = await deliver(connections, url, destination.addresses, request(url, message), start + messageMs);
      return { ...judge(ended), durationMs: took() };
    },
    [Symbol.asyncDispose]: () => connections[Symbol.asyncDispose](),
  };
}

function failure(outcome: Outcome, reason: string, durationMs: number): SendResult {
  return { outcome, reason, durationMs, statusCode: undefined, responseBody: "" };
}

function request(url: URL, { webhookId, timestamp, body, secrets, traceparent }: WebhookMessage): WebhookRequest {
  const headers = {
    "content-type": "application/json",
    "user-agent": "Canvass-Webhooks/1",
    "webhook-id": webhookId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureHeader(signedContent(webhookId, timestamp, body), secrets),
    ...(traceparent && { traceparent }),
  };
  return { path: url.pathname + url.search, headers, body };
}

/** Tries addresses until one takes the request, which is written once. */
async function deliver(
  connections: Connections,
  url: URL,
  addresses: readonly string[],
  message: WebhookRequest,
  deadline: number,
): Promise<Exchange> {
  const host = destinationHost(url);
  const servername = isIP(host) === 0 ? host : undefined;
  let ended: Exchange | undefined;
  for (const [index, address] of addresses.entries()) {
    const left = deadline - performance.now();
    if (ended && left <= 0) break;
    const connectMs = index < addresses.length - 1 ? CONNECT_SHARE_MS : left;
    ended = await useAddress(connections, { url, servername, address }, message, left, connectMs);
    if (ended.reached !== "connecting") break;
  }
  return ended!;
}

let turn: Promise<void> | undefined;

/** When all that has arrived by now was noticed; shared by those who wait in one turn of the event loop. */
function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

async function useAddress(
  connections: Connections,
  target: Target,
  message: WebhookRequest,
  timeoutMs: number,
  connectMs: number,
): Promise<Exchange> {
  const connection = connections.take(target);
  // Notices a closed connection first: a request written on it may or may not have arrived.
  if (connection.kept) await endOfTurn();
  const ended = await exchange(connection, message, timeoutMs, connectMs);
  if (ended.complete) connections.giveBack(connection);
  else connections.discard(connection);
  return ended;
}

function judge(ended: Exchange): Omit<SendResult, "durationMs"> {
  const { statusCode, reached, timedOut, error } = ended;
  const rest = { statusCode, responseBody: responseText(ended.body) };
  if (statusCode !== undefined) return { ...rest, outcome: outcomeOf(statusCode), reason: undefined };
  if (reached === "sent" && timedOut) return { ...rest, outcome: "no_response", reason: "no answer in time" };
  const reason = error?.message ?? "the connection was not made in time";
  return { ...rest, outcome: "connection_error", reason };
}

// The status line decides (contract 8.8).
function outcomeOf(statusCode: number): Outcome {
  if (statusCode >= 200 && statusCode < 300) return "success";
  return statusCode === 410 ? "gone" : "http_error";
}
