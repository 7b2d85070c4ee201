import { someSurvey, surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";
import { Ajv } from "ajv";
import ajvFormats from "ajv-formats";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { parse } from "yaml";

let sent: string[] = [];
let tags: string[][] = [];
const stored = {
  name: "Größe: ja",
  description: " \n \n",
  language: "de",
  type: 1,
  settings: {},
  pages: [
    {
      key: "p_1",
      elements: [
        {
          key: "q",
          type: "dropdown",
          text: "no\n# not a comment",
          choices: [
            { key: "1", text: "1" },
            { key: "no", text: `long ${"x ".repeat(100)}` },
          ],
        },
      ],
    },
  ],
};
const documentJson = `${JSON.stringify(stored, null, 2)}\n`;
const etag = '"7"';

const edge = await sharedByFile(
  startEdge({
    survey: {
      getDocument: async ({ versionNumber }) => ({ documentJson, etag: versionNumber === 0 ? etag : '"8"' }),
      importSurvey: async ({ bodyJson }) => {
        sent.push(bodyJson);
        return { survey: someSurvey({ name: "Imported" }) };
      },
      replaceDocument: async ({ bodyJson, ifMatch }) => {
        sent.push(bodyJson);
        tags.push(ifMatch);
        return { survey: someSurvey({ etag }) };
      },
      async *streamDocumentPlan({ bodyJson }) {
        sent.push(bodyJson);
        const issue = { path: "pages.0", code: "empty_survey", message: "m", suggestion: "s" };
        yield { plan: { writes: ["name", "pages"], issues: [issue], baseVersion: 0, class: "safe", etag } };
        yield { changesJson: ['{"changeId":"a"}', '{"changeId":"b"}'] };
        yield { changesJson: ['{"changeId":"c"}'] };
      },
    },
  }),
);
beforeEach(() => {
  sent = [];
  tags = [];
});

const path = `/surveys/${surveyId}/document`;
const yaml = { "content-type": "application/yaml" };
const importing = (body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = yaml) =>
  edge.call("/surveys/import", { method: "POST", body, headers });

test("a document is read as JSON or YAML, by Accept or format, with its schema and a tag for each", async () => {
  const json = await edge.call(path);
  const { $schema, ...document } = json.body;
  expect([json.status, document, json.headers.get("etag")]).toEqual([200, stored, etag]);
  expect(json.text).toBe(`{\n  "$schema": "${$schema}",${documentJson.slice(1)}`);
  const yamlTag = '"7-yaml"';
  for (const [address, headers] of [
    [path, { accept: "application/yaml" }],
    [`${path}?format=yaml`, {}],
  ] as const) {
    const { headers: answered, text } = await edge.call(address, { headers });
    expect(answered.get("content-type")).toBe("application/yaml; charset=utf-8");
    expect(answered.get("vary")).toContain("accept");
    expect(answered.get("etag")).toBe(yamlTag);
    for (const [known, status] of [
      [etag, 200],
      [yamlTag, 304],
    ] as const) {
      expect((await edge.call(address, { headers: { ...headers, "if-none-match": known } })).status).toBe(status);
    }
    expect(text.split("\n", 1)).toEqual([`# yaml-language-server: $schema=${$schema}`]);
    expect(parse(text)).toEqual(stored);
    expect(text).toContain("x x x x x ".repeat(15));
    await importing(text);
    expect(JSON.parse(sent.pop()!)).toEqual(stored);
  }
  const unchanged = await edge.call(path, { headers: { "if-none-match": etag } });
  expect([unchanged.status, unchanged.text]).toEqual([304, ""]);
  expect((await edge.call(path, { headers: { "if-none-match": yamlTag } })).status).toBe(200);
  expect((await edge.call(`${path}?version=2`)).headers.get("etag")).toBe('"8"');
  for (const query of ["version=0", "version=x", "format=xml", "page=1"]) {
    expect((await edge.call(`${path}?${query}`)).status).toBe(422);
  }
});

test("the schema that a document names is a JSON Schema which it fits", async () => {
  const { body } = await edge.call(path);
  const url = new URL(body.$schema);
  expect(url.pathname).toBe("/api/v1/survey-document.schema.json");
  const { body: schema } = await edge.call(url.pathname.replace("/api/v1", ""), { token: null });
  expect(schema.$id).toBe(body.$schema);
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false, allErrors: true });
  ajvFormats.default(ajv);
  const validate = ajv.compile(schema);
  expect([validate(body), validate.errors]).toEqual([true, null]);
  for (const wrong of [
    { ...stored, pages: [] },
    { ...stored, nme: 1 },
    { ...stored, pages: [{ key: "end", elements: [{ key: "q", type: "nps", text: "no" }] }] },
  ]) {
    expect(validate(wrong)).toBe(false);
  }
});

test("a document is sent on as JSON, with If-Match where it replaces one", async () => {
  const created = await importing(documentJson, { "content-type": "application/json" });
  expect([created.status, created.headers.get("location"), created.body.data.name]).toEqual([
    201,
    `/api/v1/surveys/${surveyId}`,
    "Imported",
  ]);
  const put = await edge.call(path, { method: "PUT", body: documentJson, headers: { "if-match": etag } });
  expect([put.status, put.body.meta.etag, tags]).toEqual([200, etag, [[etag]]]);
  expect(sent).toEqual([JSON.stringify(stored), JSON.stringify(stored)]);
  const { text, headers: read } = await edge.call(`${path}?format=yaml`);
  const guarded = { ...yaml, "if-match": read.get("etag")! };
  expect((await edge.call(path, { method: "PUT", body: text, headers: guarded })).status).toBe(200);
  expect([tags.pop(), JSON.parse(sent.pop()!)]).toEqual([[etag], stored]);
  for (const body of ["", "null", "# nothing"]) {
    const { status, body: answer } = await importing(body);
    expect([status, answer.error.code]).toEqual([400, "invalid_request"]);
  }
  const other = await importing("a", { "content-type": "text/csv" });
  expect([other.status, other.headers.get("accept-post")]).toEqual([415, "application/json, application/yaml"]);
});

test("a plan takes a document as JSON or YAML, and has the survey's tag", async () => {
  for (const [body, type] of [
    [documentJson, "application/json"],
    ["name: a", "application/yaml"],
  ] as const) {
    const headers = { "content-type": type, "idempotency-key": "means nothing here" };
    const planned = await edge.call(`${path}/plan`, { method: "POST", body, headers });
    expect([planned.status, planned.headers.get("etag"), planned.body.meta.etag]).toEqual([200, etag, etag]);
    expect(planned.body.data).toEqual({
      writes: ["name", "pages"],
      issues: [{ path: "pages.0", code: "empty_survey", message: "m", suggestion: "s" }],
      baseVersion: null,
      class: "safe",
      changes: [{ changeId: "a" }, { changeId: "b" }, { changeId: "c" }],
    });
  }
  expect(sent).toEqual([JSON.stringify(stored), '{"name":"a"}']);
  const guarded = { "content-type": "application/yaml", "if-match": etag };
  expect((await edge.call(`${path}/plan`, { method: "POST", body: "name: a", headers: guarded })).status).toBe(422);
});

const laughs = ["a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]"];
for (const [name, before] of ["ba", "cb", "dc", "ed", "fe", "gf", "hg", "ih"].map(
  (two) => two.split("") as [string, string],
)) {
  laughs.push(`${name}: &${name} [${`*${before}, `.repeat(9)}*${before}]`);
}

test.each([
  ["name: [a", "line 1, column 9"],
  ["name: a\nname: b", "line 2, column 1: the key name is given twice"],
  ["a:\n\tb: 1", "line 2, column 1"],
  ["a: &x 1\nb: *x", "line 2, column 4: the alias *x is not taken"],
  [laughs.join("\n"), "line 2, column 8: the alias *a is not taken"],
  ["a: !secret x", "line 1, column 4: Unresolved tag: !secret"],
  ["a: !!binary aGk=", "line 1, column 4"],
  ["a: .inf", "line 1, column 4: JSON has no such number"],
  ["? [a]\n: 1", "line 1, column 3"],
  ["a: 1\n---\nb: 2", "Source contains multiple documents"],
  ["[".repeat(100_000), "is nested too deeply"],
  ["%YAML 1.1\n---\nname: no", "YAML 1.1 means other values than JSON"],
])("YAML that is none or means more than JSON is refused at its place: %#", async (text, told) => {
  const { status, body } = await importing(text);
  expect([status, body.error.code]).toEqual([400, "malformed_yaml"]);
  expect(body.error.details.body.join("\n")).toContain(told);
  expect(sent).toEqual([]);
});

test("the bounds of JSON hold for documents in JSON and YAML", async () => {
  const deep = `${"[".repeat(65)}${"]".repeat(65)}`;
  const wide = `[${"1,".repeat(10_000)}1]`;
  const named = JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`k${at}`, 1])));
  for (const type of ["application/json", "application/yaml"]) {
    for (const body of [deep, wide, named, '{"__proto__": {"a": 1}}']) {
      const { status, body: answer } = await importing(body, { "content-type": type });
      expect([status, answer.error.code]).toEqual([400, "invalid_request"]);
    }
    const large = await importing(" ".repeat(12 * 1_048_576 + 1), { "content-type": type });
    expect([large.status, large.body.error.code]).toEqual([413, "payload_too_large"]);
  }
  const twice = await importing('{"a": 1, "a": 1}', { "content-type": "application/json" });
  expect([twice.status, twice.body.error.code]).toEqual([400, "malformed_json"]);
  const bytes = await importing(Buffer.from([0x61, 0x3a, 0xff]));
  expect([bytes.status, bytes.body.error.code]).toEqual([400, "malformed_json"]);
  expect(sent).toEqual([]);
});

test("a number that overflows is refused, and does not become the default", async () => {
  const body = '{"name": "x", "settings": {"limits": {"maxResponses": 1e400}}}';
  const { status, body: answer } = await importing(body, { "content-type": "application/json" });
  expect([status, answer.error.details]).toEqual([422, { body: ["must not contain numbers beyond ±1.79e308"] }]);
  expect(sent).toEqual([]);
});

test("YAML of many tiny values is refused before it takes a thread's memory and time", async () => {
  const { status, body } = await importing(`[${"1,".repeat(6_000_000)}1]`);
  expect([status, body.error.code, body.error.message]).toEqual([
    400,
    "invalid_request",
    "The body has more than 2000000 YAML tokens.",
  ]);
});

test("while a large document is read the event loop turns", async () => {
  const elements = Array.from({ length: 2_000 }, (_, at) => ({
    key: `q${at}`,
    type: "short_text",
    text: "x".repeat(100),
  }));
  let turns = 0;
  const turning = setInterval(() => (turns += 1), 1);
  const { status } = await importing(JSON.stringify({ name: "Large", pages: [{ key: "p", elements }] }));
  clearInterval(turning);
  expect(status).toBe(201);
  expect(turns).toBeGreaterThan(10);
});

test("a workspace may send four documents at a time", async () => {
  const { value } = edge.services.issueToken(["full_access"]);
  const headers = { authorization: `Bearer ${value}`, "content-type": "application/json", "content-length": "12" };
  const five = Array.from({ length: 5 }, (_, at) => {
    const sending = request(`${edge.baseUrl}/surveys/import`, { method: "POST", headers });
    const answered = (once(sending, "response") as Promise<[IncomingMessage]>).then(([response]) => {
      response.resume();
      return { at, status: response.statusCode };
    });
    sending.write('{"name"');
    return { sending, answered };
  });
  const refused = await Promise.race(five.map(({ answered }) => answered));
  expect(refused.status).toBe(429);
  const [fifth] = five.splice(refused.at, 1);
  fifth!.sending.on("error", () => undefined).destroy();
  for (const { sending } of five) sending.end(':"x"}');
  const others = await Promise.all(five.map(({ answered }) => answered));
  expect(others.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const next = await importing('{"name":"x"}', { "content-type": "application/json" });
  expect(next.status).toBe(201);
});
