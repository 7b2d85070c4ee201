import { randomUUID } from "node:crypto";
import { Agent, request } from "undici";
import { repeatUntilFinal } from "./repeat-until-final.ts";

// Untyped on purpose: an external client does not have our types.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export interface ApiResponse<Data = Json> {
  status: number;
  headers: Headers;
  data: Data;
  /** The parsed envelope. */
  body: { success: boolean; data?: Data; error?: ApiError; meta: Record<string, unknown>; pagination?: Json };
  /** The body's text. */
  raw: string;
}

export interface ApiError {
  code: string;
  message: string;
  suggestion: string;
  retryable: boolean;
  details: Record<string, Json>;
}

/** A client of the HTTP API. */
export interface ApiClient extends AsyncDisposable {
  /** Sends one request. Returns the response whatever its status. */
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  /** Repeats the request while the response allows it. Throws unless the response is a success. */
  get<Data = Json>(path: string, headers?: Record<string, string>): Promise<ApiResponse<Data>>;
  /** Like `get`, with one idempotency key for all attempts. */
  post<Data = Json>(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse<Data>>;
  patch<Data = Json>(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse<Data>>;
  delete<Data = Json>(path: string): Promise<ApiResponse<Data>>;
}

export interface CallOptions {
  /** A JSON value, or text that is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface ApiClientOptions {
  /** Default: true. False for measurements: `get` and the writes then send one request, without an idempotency key. */
  repeats?: boolean | undefined;
}

/** `baseUrl` includes `/api/v1`. */
export function createApiClient(baseUrl: string, token: string, { repeats = true }: ApiClientOptions = {}): ApiClient {
  const dispatcher = new Agent({ connections: 64 });

  async function call(method: string, path: string, { body, headers = {} }: CallOptions = {}): Promise<ApiResponse> {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const answer = await request(addressOf(baseUrl, path), {
      dispatcher,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(text !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
    });
    const raw = await answer.body.text();
    const parsed = raw.startsWith("{") ? JSON.parse(raw) : {};
    return { status: answer.statusCode, headers: toHeaders(answer.headers), data: parsed.data, body: parsed, raw };
  }

  async function succeed(method: string, path: string, options: CallOptions): Promise<ApiResponse> {
    const send = () => call(method, path, options);
    const describe = `${method} ${path}`;
    const answer = await (repeats ? repeatUntilFinal(() => send().catch(ifRefused), { describe }) : send());
    if (answer.status >= 400) throw new Error(`${describe} answered ${answer.status}: ${answer.raw}`);
    return answer;
  }

  const write = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    succeed(method, path, { body, headers: { ...(repeats && { "idempotency-key": randomUUID() }), ...headers } });

  return {
    call,
    get: (path, headers) => succeed("GET", path, { ...(headers && { headers }) }),
    post: (path, body, headers) => write("POST", path, body, headers),
    patch: (path, body, headers) => write("PATCH", path, body, headers),
    delete: (path) => write("DELETE", path),
    [Symbol.asyncDispose]: () => dispatcher.close(),
  };
}

/** Ignores a refused connection: a starting process does not listen yet. */
function ifRefused(error: Error & { code?: string }): undefined {
  if (error.code !== "ECONNREFUSED") throw error;
}

/** Paths of link respondents (`/public/`) are relative to the public address, not to `/api/v1`. */
function addressOf(baseUrl: string, path: string): string {
  return path.startsWith("/public/") ? new URL(path, baseUrl).href : `${baseUrl}${path}`;
}

function toHeaders(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const item of Array.isArray(value) ? value : value === undefined ? [] : [value]) headers.append(name, item);
  }
  return headers;
}
