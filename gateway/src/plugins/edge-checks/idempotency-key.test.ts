import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { readIdempotencyKey } from "./idempotency-key.ts";

function scopeOf(code: string, token?: string): unknown {
  const request = {
    method: "POST",
    headers: { "idempotency-key": "k", ...(token && { "x-respondent-token": token }) },
    params: { code },
    url: `/public/v1/links/${code}/respondents`,
    routeOptions: { url: "/public/v1/links/:code/respondents", config: {} },
    id: "r1",
  };
  const read = readIdempotencyKey(request as unknown as FastifyRequest, new Date());
  return read && "scope" in read ? read.scope : undefined;
}

test("a stored response of one link is never replayed at another, with any token", () => {
  const scopes = [scopeOf("one"), scopeOf("two"), scopeOf("one", "token"), scopeOf("two", "token")];
  expect(new Set(scopes).size).toBe(4);
  expect(scopeOf("one", "token")).toBe(scopes[2]);
});
