import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEdge, type Edge } from "./start-edge.ts";

let edge: Edge;
let page: Response;
let html: string;
beforeAll(async () => {
  edge = await startEdge({}, { config: { CANVASS_PUBLIC_URL: "https://surveys.example.org/<at>/" } });
  page = await fetch(`${edge.url}/docs/webhooks`);
  html = await page.text();
});
afterAll(() => edge[Symbol.asyncDispose]());

test("the page's own style is the only one that applies", () => {
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const style = /<style>(.*?)<\/style>/s.exec(html)![1]!;
  const hash = createHash("sha256").update(style).digest("base64");
  expect(page.headers.get("content-security-policy")).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
  expect(html).not.toMatch(/ style=|\son\w+=/);
  expect(html).toContain('name="viewport"');
});

test("the page has a way to verify in six languages, and commands for this installation", () => {
  const languages = [...html.matchAll(/<summary>(.*?)<\/summary>/g)].map(([, name]) => name);
  expect(languages).toEqual(["JavaScript", "Python", "Go", "Java", "Ruby", "PHP"]);
  const blocks = [...html.matchAll(/<figure data-name="([^"]+)"/g)].map(([, name]) => name);
  expect(blocks).toEqual(["receiver.mjs", "redeliver", "catch-up.mjs", "rotate", "certificate", "create", "test"]);
  expect(html).toContain("CANVASS_API=https://surveys.example.org/&lt;at&gt;/api/v1");
  expect(html).not.toContain("{{");
});

test("the request that the page shows is the one that the OpenAPI document describes", async () => {
  const request = /<code class="language-http">(.*?)<\/code>/s.exec(html)![1]!.replaceAll("&quot;", '"');
  const [head, body] = request.trimEnd().split("\n\n");
  const { post } = (await edge.call("/openapi.json", { token: null })).body.webhooks["response.completed"];
  expect(JSON.parse(body!)).toEqual(post.requestBody.content["application/json"].examples.event.value);
  const shown = head!.split("\n").slice(2);
  const described = post.parameters.map(({ name, example }: Record<string, string>) => `${name}: ${example}`);
  expect(shown.map((line) => line.replace("User-Agent", "user-agent")).toSorted()).toEqual(described.toSorted());
});

test("the page's links lead somewhere", async () => {
  const links = [...html.matchAll(/ href="(\/[^"]*)"/g)].map(([, path]) => path!);
  expect(links).toEqual(expect.arrayContaining(["/docs/", "/api/v1/openapi.json", "/api/v1/asyncapi.json"]));
  for (const path of links) expect((await fetch(edge.url + path)).status, `of ${path}`).toBe(200);
  const { body } = await edge.call("/openapi.json", { token: null });
  expect(body.info.description).toContain("(/docs/webhooks)");
});

test("a reader who has the page gets a 304", async () => {
  const headers = { "if-none-match": page.headers.get("etag")! };
  const again = await fetch(`${edge.url}/docs/webhooks`, { headers });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});
