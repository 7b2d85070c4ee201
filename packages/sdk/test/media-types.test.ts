import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { mediaTypes } from "../src/connection/require-media-type.ts";
import type { Canvass } from "../src/index.ts";
import { serve } from "./serve.ts";

const page = "<!doctype html><title>Sign in</title>\n";
const html = ["text/html; charset=utf-8", page] as const;
const empty = [undefined, ""] as const;
const get = ({ surveys }: Canvass) => surveys.get("s1");
const getRaw = ({ api }: Canvass) => api.getSurvey({ path: { surveyId: "s1" } });
const stream = ({ responses }: Canvass) => Array.fromAsync(responses.stream("s1"));
const form = ({ surveys }: Canvass) => surveys.form("s1");

test.each([
  ["surveys.get", get, 200, html],
  ["api.getSurvey", getRaw, 200, html],
  ["responses.stream", stream, 200, html],
  ["surveys.form", form, 200, html],
  ["surveys.get", get, 204, empty],
  ["responses.stream", stream, 204, empty],
  ["surveys.get", get, 200, ["application/json", page]],
  ["responses.stream", stream, 200, ["application/x-ndjson", page]],
] as const)("%s takes no response of another web site", async (_, call, status, [type, body]) => {
  await using server = await serve((response) => {
    response.writeHead(status, type && { "content-type": type }).end(body);
  });
  const refused = { name: "CanvassError", code: "unexpected_response", status, retryable: false };
  await expect(call(server.canvass)).rejects.toMatchObject(refused);
});

test("an export is no page, though its address was one of the API", async () => {
  await using server = await serve((response, { path }) => {
    if (path === "/file") return void response.writeHead(200, { "content-type": "text/html" }).end(page);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, data: { id: "e1", url: `${server.url}/file` } }));
  });
  const { data } = await server.canvass.api.getExport({ path: { exportId: "e1" } });
  expect(data.data.id).toBe("e1");
  const job = await server.canvass.exports.get("e1");
  await expect(job.download()).rejects.toMatchObject({ code: "unexpected_response", status: 200 });
});

test("an error without `meta` is an error of the API", async () => {
  const body = JSON.stringify({ success: false, error: { code: "forbidden", message: "No." } });
  await using server = await serve((response) => {
    response.writeHead(403, { "content-type": "application/json" }).end(body);
  });
  await expect(get(server.canvass)).rejects.toMatchObject({ code: "forbidden", status: 403 });
});

test("operations with other media types than JSON are those of the API", async () => {
  const file = new URL("../../../gateway/gen/openapi.json", import.meta.url);
  const { paths } = JSON.parse(await readFile(file, "utf8")) as { paths: Record<string, Record<string, Operation>> };
  expect(Object.keys(mediaTypes).filter((path) => !(path in paths))).toEqual([]);
  const declared = Object.keys(paths).filter((path) =>
    Object.values(paths[path]!).some((operation) =>
      Object.entries(operation.responses ?? {}).some(
        ([status, { content = {} }]) => status.startsWith("2") && !("application/json" in content),
      ),
    ),
  );
  expect(declared.filter((path) => !(path in mediaTypes))).toEqual([]);
});

interface Operation {
  responses?: Record<string, { content?: object }>;
}
