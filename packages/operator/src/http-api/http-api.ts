import { UnreachableError } from "@canvass/command-line";
import { setTimeout as delay } from "node:timers/promises";
import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";

/** Absent values are those of the running system. */
export type HttpApiPlace = { baseUrl: string | undefined; token: string | undefined };

/** Methods return `data`, or throw OperationalError with the API's message. */
export type HttpApi = {
  get: <Data>(path: string) => Promise<Data>;
  /** Retries after rate limits, server errors and lost connections, so without a key the API may do the same twice. */
  post: <Data>(path: string, body: unknown, stop: AbortSignal, idempotencyKey?: string) => Promise<Data>;
};

export type Wait = (seconds: number, stop: AbortSignal) => Promise<void>;

const mostAttempts = 8;
const longestAnswerMs = 120_000;
const waitSeconds: Wait = (seconds, signal) => delay(seconds * 1000, undefined, { signal });

/** `baseUrl` includes `/api/v1`. */
export function createHttpApi({ baseUrl, token }: Record<keyof HttpApiPlace, string>, wait = waitSeconds): HttpApi {
  async function send(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<Response> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    };
    const signal = AbortSignal.timeout(longestAnswerMs);
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(`${baseUrl}${path}`, { method, headers, signal, redirect: "error", ...content }).catch(
      (error: unknown) => {
        throw new UnreachableError(`The API at ${baseUrl} cannot be reached (${reasonOf(error)}).`, { cause: error });
      },
    );
  }

  return {
    get: async (path) => dataOf(await send("GET", path)),
    async post(path, body, stop, idempotencyKey) {
      for (let attempt = 1; ; attempt++) {
        const answer = await send("POST", path, body, idempotencyKey).catch(
          (error: unknown) => error as UnreachableError,
        );
        const isLimited = answer instanceof Response && answer.status === 429;
        const mayPass = isLimited || answer instanceof Error || answer.status >= 500;
        if (!mayPass || (!isLimited && attempt >= mostAttempts)) {
          if (answer instanceof Error) throw answer;
          return dataOf(answer);
        }
        await wait(secondsAsked(answer), stop);
      }
    },
  };
}

function secondsAsked(answer: Response | Error): number {
  const asked = answer instanceof Response ? Number(answer.headers.get("retry-after")) : 0;
  return Number.isFinite(asked) && asked > 0 ? asked : 1;
}

type Envelope<Data> = { data?: Data; error?: { message: string; suggestion: string; details?: unknown } };

async function dataOf<Data>(answer: Response): Promise<Data> {
  const text = await answer.text();
  const { data, error } = envelopeIn<Data>(text);
  if (answer.ok && data !== undefined) return data;
  if (!error) throw new OperationalError(`What answers at ${answer.url} is not this API (status ${answer.status}).`);
  throw new OperationalError(`${error.message} ${error.suggestion}`.trim());
}

function envelopeIn<Data>(text: string): Envelope<Data> {
  try {
    return (JSON.parse(text) ?? {}) as Envelope<Data>;
  } catch {
    return {};
  }
}
