import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { ApiResponse } from "../src/index.ts";

const programDir = fileURLToPath(new URL("../../..", import.meta.url));

/** The formats of identifiers, times and entity tags (contract 2.5, 3.1). */
export const anyId = expect.stringMatching(/^[a-z0-9]{16}$/);
export const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const anyEtag = expect.stringMatching(/^"[\x21\x23-\x7e]+"$/);
export const anyMeta = { timestamp: anyTime, version: "1.0", requestId: expect.stringMatching(/^[\x21-\x7e]{1,128}$/) };

/** Asserts a success with exactly this data in its envelope (contract 1.1). */
export function expectSuccess(answer: ApiResponse, status: number, data: unknown): void {
  expect({ status: answer.status, data: answer.data }).toEqual({ status, data });
  const etag = answer.headers.get("etag");
  const meta = etag === null ? anyMeta : { ...anyMeta, etag };
  expect(answer.body).toEqual({ success: true, data, meta, ...pagination(answer) });
  expectHeaders(answer);
}

/** Asserts a refusal in its envelope (contract 1.3) that shows no internals. */
export function expectRefusal(answer: ApiResponse, status: number, code: string, details?: unknown): void {
  const context = `${answer.status} ${answer.raw.slice(0, 500)}`;
  expect({ status: answer.status, code: answer.body.error?.code }, context).toEqual({ status, code });
  expect(answer.body, context).toEqual({
    success: false,
    error: {
      code,
      message: expect.stringMatching(/^[A-Z].*\.$/),
      suggestion: expect.stringMatching(/^[A-Z].*\.$/),
      retryable:
        [408, 429, 500, 503, 504].includes(status) || code === "idempotency_in_progress" || code === "survey_locked",
      details: details ?? expect.any(Object),
    },
    meta: anyMeta,
  });
  expectHeaders(answer);
  expectNoLeak(answer.raw);
}

/** Asserts that a text shows no internals: no stack, statement, path, address or module. */
export function expectNoLeak(text: string): void {
  expect(text).not.toContain(programDir);
  expect(text).not.toMatch(/\\n\s+at |\w:\d+:\d+\)|node_modules|\.ts\b|\/(?:home|root|tmp|usr|var)\/|file:\/\//);
  expect(text).not.toMatch(
    /\b(?:SELECT|INSERT INTO|UPDATE .+ SET|DELETE FROM)\b|prisma|postgres|grpc|ECONN|nats|127\.0\.0\.1/i,
  );
}

function expectHeaders({ headers, body }: ApiResponse): void {
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("x-request-id")).toBe(body.meta["requestId"]);
}

const pagination = ({ body }: ApiResponse) => (body.pagination === undefined ? {} : { pagination: body.pagination });
