import { errorCodesOf, resolveReferences, shortPath } from "./fuzz/resolve-references.ts";
import { errorCatalogue } from "@canvass/errors";
import { allScopes } from "@canvass/access";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEdge, type Edge } from "./start-edge.ts";

let edge: Edge;
// The tests look into a document of any shape.
let document: any; // oxlint-disable-line typescript/no-explicit-any
let written: any; // oxlint-disable-line typescript/no-explicit-any
let source: string;
beforeAll(async () => {
  edge = await startEdge({}, { config: { CANVASS_PUBLIC_URL: "https://surveys.example.org" } });
  ({ text: source, body: written } = await edge.call("/openapi.json", { token: null }));
  document = resolveReferences(written);
});
afterAll(() => edge[Symbol.asyncDispose]());

interface Operation {
  operationId: string;
  security?: object[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: object;
  responses: Record<string, { headers?: object; content?: Record<string, { examples?: Record<string, object> }> }>;
  "x-required-scope": string;
}

function operations(): Record<string, Operation> {
  return Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as object).map(([method, operation]) => [
        `${method.toUpperCase()} ${shortPath(path)}`,
        operation,
      ]),
    ),
  );
}

test("the document is valid OpenAPI 3.1, without a single finding of the linter", async () => {
  // Codes of all operations have examples that nothing refers to.
  const rules = {
    "no-unused-components": "off",
    "no-server-example.com": "off",
    // Failures are the default response.
    "operation-4xx-response": "off",
    // An operation's errors narrow the envelope by a second schema.
    "no-invalid-media-type-examples": { severity: "warn", allowAdditionalProperties: true },
  } as const;
  const config = await createConfig({ extends: ["recommended"], rules });
  const findings = await lintFromString({ source, config });
  // No id is spelled "surveys" or "imports" (contract 2.5).
  const apart =
    /two ambiguous paths: `\/api\/v1\/(exports|distribution|contacts)\/(surveys|imports)\/\{\w+\}` and `\/api\/v1\/\1\/\{/;
  const others = findings.filter(({ message }) => !apart.test(message));
  expect(others.map(({ message, location }) => `${message} ${location[0]?.pointer}`)).toEqual([]);
  expect(document.openapi).toBe("3.1.0");
  expect(document.servers).toMatchObject([{ url: "https://surveys.example.org" }]);
  for (const path of Object.keys(document.paths)) expect(path).toMatch(/^\/(api|public)\/v1\/\w/);
  expect(source).not.toContain('"servers":[{"url":"https://surveys.example.org"}]');
});

test("keywords for our own checks stay out of the document", () => {
  expect(source).not.toMatch(/"x-(visible|judged-by|expected)"/);
  // A limit that callers can keep.
  expect(source).toContain('"x-max-json-bytes"');
});

test("what bounds a survey is said where surveys are written", () => {
  const { "POST /surveys": create, "POST /surveys/{surveyId}/questions": add } = operations();
  for (const operation of [create, add]) {
    expect((operation as { description?: string }).description).toMatch(/10000 cells.*100000 together.*4194304 bytes/);
  }
});

test("every operation is documented with its scope and a unique name", () => {
  const found = operations();
  expect(Object.keys(found).sort()).toMatchInlineSnapshot(`
    [
      "DELETE /distribution/{distributorId}",
      "DELETE /elements/{elementId}",
      "DELETE /event-subscriptions/{subscriptionId}",
      "DELETE /exports/{exportId}",
      "DELETE /multiple-choice/{elementId}/choice/{choiceId}",
      "DELETE /multiple-choice/{elementId}/image-choice/{choiceId}",
      "DELETE /response/surveys/{surveyId}/respondents/{respondentId}",
      "DELETE /tokens/{tokenId}",
      "GET /asyncapi.json",
      "GET /audit-log",
      "GET /contacts",
      "GET /contacts/imports/{importId}",
      "GET /contacts/status-summary",
      "GET /contacts/{contactId}",
      "GET /contacts/{contactId}/activity",
      "GET /distribution/surveys/{surveyId}",
      "GET /distribution/{distributorId}",
      "GET /distribution/{distributorId}/embed-code",
      "GET /distribution/{distributorId}/links",
      "GET /distribution/{distributorId}/qr-code",
      "GET /downloads/{downloadToken}",
      "GET /elements/{elementId}",
      "GET /errors",
      "GET /event-subscriptions",
      "GET /event-subscriptions/{subscriptionId}",
      "GET /event-subscriptions/{subscriptionId}/deliveries",
      "GET /events",
      "GET /events/{eventId}/explain",
      "GET /exports/{exportId}",
      "GET /exports/{exportId}/download",
      "GET /files/{fileId}/download",
      "GET /health",
      "GET /multiple-choice/{elementId}",
      "GET /nps/{elementId}",
      "GET /nps/{elementId}/response",
      "GET /openapi.json",
      "GET /public/v1/links/{code}",
      "GET /public/v1/links/{code}/respondents/{respondentId}",
      "GET /rating/{elementId}",
      "GET /respondent-activity/live-summary",
      "GET /response/imports/{importId}",
      "GET /response/surveys/{surveyId}",
      "GET /response/surveys/{surveyId}/aggregation",
      "GET /response/surveys/{surveyId}/report",
      "GET /response/surveys/{surveyId}/respondents",
      "GET /response/surveys/{surveyId}/respondents/{respondentId}",
      "GET /response/surveys/{surveyId}/stream",
      "GET /survey-document.schema.json",
      "GET /surveys",
      "GET /surveys/{surveyId}",
      "GET /surveys/{surveyId}/answers-schema",
      "GET /surveys/{surveyId}/document",
      "GET /surveys/{surveyId}/draft",
      "GET /surveys/{surveyId}/draft/backups",
      "GET /surveys/{surveyId}/elements",
      "GET /surveys/{surveyId}/fields",
      "GET /surveys/{surveyId}/lock",
      "GET /surveys/{surveyId}/pages",
      "GET /surveys/{surveyId}/publish/changes",
      "GET /surveys/{surveyId}/quotas",
      "GET /surveys/{surveyId}/translations",
      "GET /surveys/{surveyId}/translations/{language}",
      "GET /surveys/{surveyId}/versions",
      "GET /surveys/{surveyId}/versions/{versionId}",
      "GET /tokens",
      "GET /tokens/scopes",
      "GET /tokens/{tokenId}",
      "PATCH /contacts/{contactId}",
      "PATCH /distribution/{distributorId}",
      "PATCH /event-subscriptions/{subscriptionId}",
      "PATCH /surveys/{surveyId}",
      "PATCH /surveys/{surveyId}/pages/{pageId}",
      "PATCH /surveys/{surveyId}/translations/{language}",
      "PATCH /tokens/{tokenId}",
      "POST /contacts",
      "POST /contacts/bulk-delete",
      "POST /contacts/imports",
      "POST /contacts/imports/csv",
      "POST /contacts/{contactId}/anonymize",
      "POST /contacts/{contactId}/unsubscribe",
      "POST /distribution/surveys/{surveyId}",
      "POST /distribution/{distributorId}/activate",
      "POST /distribution/{distributorId}/close",
      "POST /distribution/{distributorId}/links",
      "POST /distribution/{distributorId}/pause",
      "POST /distribution/{distributorId}/resume",
      "POST /event-subscriptions",
      "POST /event-subscriptions/{subscriptionId}/deliveries/redeliver",
      "POST /event-subscriptions/{subscriptionId}/deliveries/{deliveryId}/redeliver",
      "POST /event-subscriptions/{subscriptionId}/rotate-secret",
      "POST /event-subscriptions/{subscriptionId}/test",
      "POST /exports/surveys/{surveyId}",
      "POST /files",
      "POST /nps/{elementId}/response",
      "POST /public/v1/links/{code}/respondents",
      "POST /public/v1/links/{code}/respondents/{respondentId}/answers",
      "POST /public/v1/links/{code}/respondents/{respondentId}/files",
      "POST /response/surveys/{surveyId}",
      "POST /response/surveys/{surveyId}/batch",
      "POST /response/surveys/{surveyId}/crosstabs",
      "POST /response/surveys/{surveyId}/import",
      "POST /response/surveys/{surveyId}/respondents",
      "POST /response/surveys/{surveyId}/series",
      "POST /surveys",
      "POST /surveys/import",
      "POST /surveys/import/questionnaire",
      "POST /surveys/{surveyId}/copy",
      "POST /surveys/{surveyId}/document/plan",
      "POST /surveys/{surveyId}/draft/backups",
      "POST /surveys/{surveyId}/draft/backups/{backupId}/restore",
      "POST /surveys/{surveyId}/publish",
      "POST /surveys/{surveyId}/publish/validate",
      "POST /surveys/{surveyId}/questions",
      "POST /surveys/{surveyId}/translations/import",
      "POST /surveys/{surveyId}/versions/{versionId}/restore",
      "POST /tokens",
      "POST /tokens/{tokenId}/rotate",
      "PUT /distribution/{distributorId}/settings",
      "PUT /elements/{elementId}/settings",
      "PUT /multiple-choice/{elementId}/choice",
      "PUT /multiple-choice/{elementId}/choices",
      "PUT /multiple-choice/{elementId}/choices/order",
      "PUT /multiple-choice/{elementId}/other",
      "PUT /nps/{elementId}/label",
      "PUT /nps/{elementId}/settings",
      "PUT /rating/{elementId}/label",
      "PUT /rating/{elementId}/settings",
      "PUT /surveys/{surveyId}/document",
      "PUT /surveys/{surveyId}/elements/order",
      "PUT /surveys/{surveyId}/fields",
      "PUT /surveys/{surveyId}/quotas",
      "PUT /surveys/{surveyId}/translations/{language}",
    ]
  `);
  expect(document.security).toEqual([{ bearer: [] }]);
  const ids = Object.values(found).map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const operation of Object.values(found)) {
    const scope = operation["x-required-scope"];
    expect(["public", "any_token", ...allScopes]).toContain(scope);
    expect(operation.security).toEqual(scope === "public" ? [] : undefined);
  }
});

test("every error code is described with an example, and each operation names its own", () => {
  expect(Object.keys(document.components.examples)).toEqual(Object.keys(errorCatalogue));
  for (const operation of Object.values(operations())) {
    const codes = errorCodesOf(operation);
    expect(new Set(codes).size, `of ${operation.operationId}`).toBe(codes.length);
    const examples = Object.keys(operation.responses["default"]?.content?.["application/json"]?.examples ?? {});
    expect(examples, `of ${operation.operationId}`).not.toEqual([]);
    expect(codes).toEqual(expect.arrayContaining(["internal_error", ...examples]));
  }
});

test("bodies that a service validates are documented completely", () => {
  const body = (name: string) => JSON.stringify(operations()[name]?.requestBody);
  expect(body("PATCH /surveys/{surveyId}")).toContain("progressStyle");
  expect(body("POST /surveys/{surveyId}/questions")).toContain("multiple_choice");
  expect(body("POST /response/surveys/{surveyId}")).toContain("dropdown_matrix");
});

test("headers are documented where they count", () => {
  const headers = (name: string) =>
    (operations()[name]?.parameters ?? []).flatMap((each) =>
      each.in === "header" ? [[each.name, each.required]] : [],
    );
  expect(headers("PATCH /surveys/{surveyId}")).toEqual([
    ["Idempotency-Key", undefined],
    ["If-Match", true],
  ]);
  expect(headers("PUT /elements/{elementId}/settings")).toEqual([
    ["Idempotency-Key", undefined],
    ["If-Match", undefined],
  ]);
  expect(headers("POST /tokens")).toEqual([]);
  expect(headers("GET /surveys/{surveyId}")).toEqual([["If-None-Match", undefined]]);
  expect(headers("GET /public/v1/links/{code}/respondents/{respondentId}")).toEqual([["X-Respondent-Token", true]]);
  expect(source).not.toContain('"X-Workspace-ID"');
});

test("the headers of answers are documented, and what a conditional read answers with", () => {
  const headers = (name: string, status: number | "default") =>
    Object.keys(operations()[name]?.responses[status]?.headers ?? {});
  const always = ["X-Request-Id", "RateLimit", "RateLimit-Policy"];
  expect(headers("GET /surveys/{surveyId}", 200)).toEqual([...always, "ETag"]);
  expect(headers("GET /surveys/{surveyId}", 304)).toEqual([...always, "ETag"]);
  expect(headers("PATCH /surveys/{surveyId}", 200)).toEqual([...always, "ETag", "Idempotent-Replayed"]);
  expect(operations()["PATCH /surveys/{surveyId}"]?.responses[304]).toBeUndefined();
  expect(headers("POST /surveys", 201)).toEqual([...always, "ETag", "Idempotent-Replayed", "Location"]);
  expect(headers("POST /exports/surveys/{surveyId}", 202)).toEqual([...always, "Idempotent-Replayed", "Location"]);
  expect(headers("GET /surveys/{surveyId}", "default")).toEqual(["X-Request-Id", "Retry-After"]);
  expect(headers("GET /openapi.json", 304)).toEqual([...always, "ETag"]);
});

test("exactly the operations that return an ETag can return 304", async () => {
  const conditional = Object.entries(operations()).filter(([, { responses }]) => responses[304]);
  expect(conditional.map(([name]) => name).sort()).toEqual([
    "GET /asyncapi.json",
    "GET /contacts/{contactId}",
    "GET /distribution/{distributorId}",
    "GET /downloads/{downloadToken}",
    "GET /elements/{elementId}",
    "GET /multiple-choice/{elementId}",
    "GET /nps/{elementId}",
    "GET /openapi.json",
    "GET /rating/{elementId}",
    "GET /response/surveys/{surveyId}/aggregation",
    "GET /survey-document.schema.json",
    "GET /surveys/{surveyId}",
    "GET /surveys/{surveyId}/document",
    "GET /surveys/{surveyId}/draft",
    "GET /surveys/{surveyId}/fields",
    "GET /surveys/{surveyId}/translations",
    "GET /surveys/{surveyId}/translations/{language}",
    "GET /surveys/{surveyId}/versions/{versionId}",
  ]);
});

test("values with a default can be omitted", () => {
  const required = operations()["GET /surveys"]!.parameters!.filter((each) => each.required);
  expect(required).toEqual([]);
});

test("the document names the operator as contact and for the license", () => {
  const { contact, license } = document.info;
  expect([contact.url, license.url]).toEqual(Array(2).fill("https://surveys.example.org/docs/"));
  expect(license.name).toMatch(/operator/);
});

test("external events are there as webhooks", () => {
  expect(Object.keys(document.webhooks)).toEqual(["response.completed", "webhook.test"]);
  const completed = document.webhooks["response.completed"].post;
  const tested = document.webhooks["webhook.test"].post;
  // With the tag of the operations, generators overwrite their class.
  expect([completed.tags, tested.tags]).toEqual([["Webhooks"], ["Webhooks"]]);
  expect([completed.operationId, tested.operationId]).toEqual(["receiveResponseCompleted", "receiveWebhookTest"]);
  expect(completed.description).toContain("nine attempts");
  expect(completed.responses["410"].description).toContain("disabled");
  // Contract 8.14.
  expect(tested.description).toContain("Sent once");
  expect(tested.responses["410"].description).toContain("changes no subscription");
});

test("the document has an ETag and is not sent twice", async () => {
  const first = await edge.call("/openapi.json", { token: null });
  const etag = first.headers.get("etag")!;
  const again = await edge.call("/openapi.json", { token: null, headers: { "if-none-match": etag } });
  expect(again).toMatchObject({ status: 304, text: "" });
});
