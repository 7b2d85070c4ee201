import { openBrowser } from "@canvass/testing/browser";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleForBrowsers } from "../../../sdk/test/bundle-for-browsers.ts";
import { refuse, serve, succeed } from "../../../sdk/test/serve.ts";

// As text, since the test runner rewrites imports.
const program = `import("/sdk.js").then(async ({ createCanvass }) => {
  const { api } = createCanvass({ url: location.origin });
  const { data: link } = await api.getPublicLink({ path: { code: "c" } });
  const { data: started } = await api.startLinkRespondent({ path: { code: "c" } });
  return [link.data.state, started.data.respondentId];
})`;

test("a respondent's page opens a link and starts by it, with retries under one key", async () => {
  const code = await bundleForBrowsers(join(import.meta.dirname, "../../../sdk/src/index.ts"));
  await using server = await serve((response, { method, path }, number) => {
    if (path === "/") response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
    else if (path === "/sdk.js") response.writeHead(200, { "content-type": "text/javascript" }).end(code);
    else if (method === "GET") succeed(response, { state: "open" });
    else if (number < 6) refuse(response, 503, "service_unavailable", { retryable: true, "retry-after": "0" });
    else succeed(response, { respondentId: "r1" });
  });
  const page = await (await openBrowser()).newPage();
  await page.goto(server.url);
  const answers = await page.evaluate(program);
  await page.close();
  expect(answers).toEqual(["open", "r1"]);
  const starts = server.seen.filter(({ method }) => method === "POST");
  expect(starts.length).toBeGreaterThan(1);
  expect(new Set(starts.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(starts[0]!.headers).not.toHaveProperty("authorization");
});
