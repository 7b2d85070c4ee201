import { expect, test } from "vitest";
import { startEdge, type Edge } from "./start-edge.ts";

const listed = "https://app.example.org";
const preflight = (origin: string) => ({
  method: "OPTIONS",
  token: null,
  headers: { origin, "access-control-request-method": "PATCH", "access-control-request-headers": "authorization" },
});
const withOrigin = (origin: string) => ({ headers: { origin } });

function corsHeaders({ headers }: Awaited<ReturnType<Edge["call"]>>): string[] {
  return [...headers.keys()].filter((name) => name.startsWith("access-control"));
}

test("by default pages of other origins get no CORS headers, also for preflight requests", async () => {
  await using edge = await startEdge();
  for (const path of ["/errors", "/health", "/openapi.json", "/nothing"]) {
    const documents = path === "/openapi.json" ? "Accept-Encoding" : null;
    const answers = [await edge.call(path, withOrigin(listed)), await edge.call(path, preflight(listed))];
    expect(answers.map(corsHeaders)).toEqual([[], []]);
    expect(answers.map(({ headers }) => headers.get("vary"))).toEqual([documents, null]);
    expect(answers[1]!.status).toBe(path === "/nothing" ? 404 : 405);
  }
  const page = await fetch(`${edge.url}/docs/`, withOrigin(listed));
  expect(page.headers.get("access-control-allow-origin")).toBeNull();
});

test("a listed origin may call, with everything a caller needs and without credentials", async () => {
  await using edge = await startEdge(
    {},
    { config: { CANVASS_CORS_ORIGINS: `${listed}, http://localhost:3000,https://port.example.org:443` } },
  );
  const asked = await edge.call("/errors", preflight(listed));
  expect([asked.status, asked.text]).toEqual([204, ""]);
  expect(asked.headers.get("access-control-allow-origin")).toBe(listed);
  expect(asked.headers.get("access-control-allow-methods")).toContain("PATCH");
  expect(asked.headers.get("access-control-allow-headers")).toMatch(/Authorization.*Idempotency-Key.*If-Match/);
  expect(asked.headers.get("access-control-allow-credentials")).toBeNull();
  expect(asked.headers.get("x-request-id")).toMatch(/^[\x21-\x7e]{1,128}$/);
  for (const [path, status] of [
    ["/errors", 200],
    ["/surveys/short", 404],
    ["/nothing", 404],
  ] as const) {
    const answer = await edge.call(path, withOrigin(listed));
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe(listed);
    expect(answer.headers.get("access-control-expose-headers")).toMatch(/ETag.*RateLimit.*Retry-After/);
    expect(answer.headers.get("vary")).toBe("Origin");
  }
  expect((await edge.call("/errors", withOrigin("https://port.example.org"))).headers.get("vary")).toBe("Origin");
});

test.each([
  "https://app.example.org.evil.example",
  "https://evil.example",
  "http://app.example.org",
  "https://app.example.org:8443",
  "https://APP.example.org",
  "null",
])("an origin that is not listed gets no CORS headers: %s", async (origin) => {
  await using edge = await startEdge({}, { config: { CANVASS_CORS_ORIGINS: listed } });
  const refused = await edge.call("/errors", preflight(origin));
  expect([refused.status, refused.body.error.code]).toEqual([405, "method_not_allowed"]);
  expect(corsHeaders(refused)).toEqual([]);
  const answer = await edge.call("/errors", withOrigin(origin));
  expect([answer.status, corsHeaders(answer), answer.headers.get("vary")]).toEqual([200, [], "Origin"]);
});

test("OPTIONS that is no preflight request is a method like any other", async () => {
  await using edge = await startEdge({}, { config: { CANVASS_CORS_ORIGINS: listed } });
  const known = await edge.call("/errors", { method: "OPTIONS", ...withOrigin(listed) });
  expect([known.status, known.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  const unknown = await edge.call("/nothing", { method: "OPTIONS" });
  expect([unknown.status, unknown.body.error.code]).toEqual([404, "route_not_found"]);
});
