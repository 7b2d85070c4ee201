import { errorCodesOf, resolveReferences } from "./resolve-references.ts";
import { errorCatalogue } from "@canvass/errors";
import fc from "fast-check";
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEdge, type Edge } from "../start-edge.ts";
import { documentValidator } from "./document-validator.ts";
import { filledServices } from "./filled-services.ts";
import { oddRequest, properRequest, type Operation, type WireRequest } from "./operation-arbitrary.ts";
import type { Schema } from "./schema-arbitrary.ts";
import { parse } from "yaml";

let edge: Edge;
let token: string;
let operations: Map<string, Operation>;
let schemaAt: ReturnType<typeof documentValidator>;
const agent = new Agent({ keepAlive: true });

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
}

interface DocumentedOperation {
  operationId: string;
  parameters?: Operation["parameters"];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Operation["responses"];
}

async function startFilledEdge(): Promise<void> {
  edge = await startEdge(filledServices(), { config: { CANVASS_RATE_LIMITS: "off" } });
  token = edge.services.issueToken(["full_access", "events:write"]).value;
  const document = (await edge.call("/openapi.json")).body as Document;
  schemaAt = documentValidator(document);
  const all = Object.entries(resolveReferences(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(takesNoFile)
      .map(([method, each]) => ({
        operationId: each.operationId,
        method: method.toUpperCase(),
        path,
        parameters: each.parameters ?? [],
        body: each.requestBody?.content["application/json"]!.schema,
        responses: each.responses,
        errorCodes: errorCodesOf(each),
      })),
  );
  operations = new Map(all.map((operation) => [operation.operationId, operation]));
}

/** Bodies that are files: uploads.test.ts and contacts.test.ts send them. */
const takesNoFile = ([, { requestBody }]: [string, DocumentedOperation]) =>
  requestBody === undefined || "application/json" in requestBody.content;

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends the path unchanged; fetch would normalize it. */
function send({ method, path, headers, body }: WireRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(edge.url);
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const asked = httpRequest({
      agent,
      port,
      host: "127.0.0.1",
      method,
      path: sendable(path),
      headers: { ...headers, ...length },
    });
    asked.on("error", reject);
    asked.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    asked.end(body);
  });
}

// Node's client refuses other characters.
const sendable = (path: string) => path.replace(/[^\x21-\xff]/g, "?");

/** Refusals that may come before the operation is known. The document lists them only once. */
const beforeRouting = ["route_not_found", "method_not_allowed"];

function check(request: WireRequest, { status, headers, text }: Answer): void {
  const operation = operations.get(request.operationId)!;
  const documented = operation.responses[status] ?? operation.responses["default"];
  expect(status, "a defect, or a part that is away").toBeLessThan(500);
  expect(headers["x-request-id"]).toMatch(/^[\x21-\x7e]{1,128}$/);
  expect(headers["x-content-type-options"]).toBe("nosniff");
  if (status === 304) {
    expect([text, documented]).toEqual(["", expect.anything()]);
    return;
  }
  const mediaType = headers["content-type"]!.split(";")[0];
  // Documents of surveys: the same content (contract 6.14).
  if (mediaType === "application/yaml") return checkContent(operation, status, parse(text));
  // Forms of other systems (contract 6.25).
  if (status < 300 && new URL(request.path, "http://localhost").searchParams.get("format") === "xlsform") {
    expect(mediaType).toBe("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
    return;
  }
  // Files for translators (contract 6.17).
  if (status < 300 && request.operationId === "getTranslation" && mediaType !== "application/json") {
    expect(mediaType).toMatch(/^text\/(?:csv|x-gettext-translation)$/);
    return;
  }
  if (status < 300 && mediaType !== "application/json") {
    const [range = ""] = Object.keys(documented?.content ?? {});
    expect(mediaType).toMatch(new RegExp(`^${range.replaceAll("*", "[^/]+")}$`));
    return;
  }
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  const body = JSON.parse(text) as { success: boolean; error: { code: string }; meta: { requestId: string } };
  if (status < 300) {
    expect(operation.responses[status], "a documented success").toBeDefined();
    checkContent(operation, status, body);
    return;
  }
  const { code } = body.error;
  expect(Object.keys(body)).toEqual(["success", "error", "meta"]);
  expect(body.meta.requestId).toBe(headers["x-request-id"]);
  expect(errorCatalogue[code as keyof typeof errorCatalogue].status).toBe(status);
  if (!beforeRouting.includes(code)) {
    expect(operation.errorCodes, `${status} ${code} to be documented`).toContain(code);
  }
  if (isElsewhere(text)) return;
  expect(request.proper ? `refused: ${text}` : "", "a proper request to be taken").toBe("");
}

/** Validates a success response against the document. */
function checkContent({ path, method }: Operation, status: number, body: unknown): void {
  const place = ["responses", String(status), "content", "application/json", "schema"];
  const validate = schemaAt("paths", path, method.toLowerCase(), ...place);
  expect(validate(body) ? [] : validate.errors).toEqual([]);
}

/** A body may name a workspace, but the token reaches one only. */
const isElsewhere = (text: string): boolean => text.includes('"code":"workspace_not_accessible"');

/** Each operation has a seed of its own. With one for all, their requests would be odd in the same way. */
function drawn({ operationId }: Operation, numRuns: number): { numRuns: number; seed: number } {
  const { seed = 0 } = fc.readConfigureGlobal();
  return { numRuns, seed: seed + [...operations.keys()].indexOf(operationId) };
}

/** Tests requests generated from the document on every operation. The services respond with every field set. */
export function testAnyRequests(each: { proper: number; odd: number }): void {
  beforeAll(startFilledEdge);
  afterAll(async () => {
    agent.destroy();
    await edge[Symbol.asyncDispose]();
  });

  test("every operation takes proper requests, and answers as documented", async () => {
    let taken = 0;
    for (const operation of operations.values()) {
      const evaluate = async (request: WireRequest) => {
        const answer = await send(request);
        check(request, answer);
        if (answer.status < 400 || isElsewhere(answer.text)) taken += 1;
      };
      await fc.assert(fc.asyncProperty(properRequest(operation, token), evaluate), drawn(operation, each.proper));
    }
    expect(taken).toBe(operations.size * each.proper);
  }, 900_000);

  test("of requests with an odd path, query or headers each gets a documented answer, and none a 5xx", async () => {
    let refused = 0;
    for (const operation of operations.values()) {
      const evaluate = async (request: WireRequest) => {
        const answer = await send(request);
        check(request, answer);
        if (answer.status >= 400) refused += 1;
      };
      await fc.assert(fc.asyncProperty(oddRequest(operation, token), evaluate), drawn(operation, each.odd));
    }
    expect(refused).toBeGreaterThan((operations.size * each.odd) / 4);
  }, 900_000);
}
