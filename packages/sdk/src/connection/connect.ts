import { createClient, type Client } from "../../gen/api/client/index.ts";
import { CanvassApi } from "../../gen/api/sdk.gen.ts";
import { unkeyedWrites } from "../../gen/unkeyed-writes.ts";
import { toCanvassError } from "../errors/to-canvass-error.ts";
import type { CanvassOptions, WriteOptions } from "../options.ts";
import { requireMediaType } from "./require-media-type.ts";
import { retryingFetch } from "./retrying-fetch.ts";

/** How resources send their requests. */
export interface Connection {
  api: CanvassApi;
  client: Client;
  /** Sends a request with retries. */
  fetch: (request: Request) => Promise<Response>;
  retries: number;
  /** Converts the options of a call to those of the generated class. */
  sending: (options?: WriteOptions) => Sending;
}

interface Sending {
  signal?: AbortSignal;
  meta?: { idempotencyKey: string };
  fetch?: typeof fetch;
}

/**
 * Connects the generated class: retries, idempotency keys, errors. Throws a TypeError for a malformed `url` or `token`.
 */
export function connect({
  url,
  token,
  workspaceId,
  deadlineMs = 60_000,
  retries = 5,
  ...options
}: CanvassOptions): Connection {
  // Refused here, because the error of a request with it would show the token.
  if (/[^\x20-\x7e]/.test(token?.trim() ?? "")) throw new TypeError("`token` has characters that no token has");
  const { fetch: send = (request: Request) => globalThis.fetch(request) } = options;
  const sendWithin = (longestMs: number) => retryingFetch(send, { deadlineMs: longestMs, retries });
  const retrying = sendWithin(deadlineMs);
  const client = createClient({
    baseUrl: new URL(url).href.replace(/\/+$/, "").replace(/\/api\/v1$/, ""),
    fetch: retrying as typeof fetch,
    throwOnError: true,
    // A followed 301 or 302 turns a write into a read, which succeeds and writes nothing.
    redirect: "manual",
    ...(token !== undefined && { auth: token }),
    ...(workspaceId !== undefined && { headers: { "X-Workspace-ID": workspaceId } }),
  });
  client.interceptors.request.use((request, { url: template, ...others }) => {
    if (!takesKey(request.method, template) || request.headers.has("idempotency-key")) return request;
    const { meta } = others as Pick<Sending, "meta">;
    request.headers.set("Idempotency-Key", meta?.idempotencyKey ?? randomKey());
    return request;
  });
  client.interceptors.response.use(requireMediaType);
  client.interceptors.error.use(toCanvassError);
  return {
    api: new CanvassApi({ client }),
    client,
    fetch: retrying,
    retries,
    sending: ({ signal, deadlineMs: ownMs, idempotencyKey } = {}) => ({
      ...(signal && { signal }),
      ...(idempotencyKey !== undefined && { meta: { idempotencyKey } }),
      ...(ownMs !== undefined && { fetch: sendWithin(ownMs) as typeof fetch }),
    }),
  };
}

const takesKey = (method: string, template: string): boolean =>
  !["GET", "HEAD"].includes(method) && !unkeyedWrites.includes(`${method} ${template}`);

/** Unlike `crypto.randomUUID`, also on pages without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
