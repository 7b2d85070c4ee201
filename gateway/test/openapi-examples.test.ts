import { errorCodesOf, resolveReferences } from "./fuzz/resolve-references.ts";
import { isScope, scopes } from "@canvass/access";
import { errorCatalogue } from "@canvass/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEdge, type Edge } from "./start-edge.ts";

let edge: Edge;
let document: Document;
beforeAll(async () => {
  edge = await startEdge({});
  document = resolveReferences((await edge.call("/openapi.json", { token: null })).body as Document);
});
afterAll(() => edge?.[Symbol.asyncDispose]());

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { examples: Record<string, { value: { error: { suggestion: string; details: object } } }> };
}

interface Operation {
  operationId: string;
  parameters?: { name: string; example?: unknown }[];
  requestBody?: { required?: boolean; content: Record<string, { examples?: Record<string, Example> }> };
  responses: Record<string, unknown>;
  "x-required-scope"?: string;
}

interface Example {
  summary?: string;
  value: unknown;
}

const operations = () => [document.paths, document.webhooks].flatMap(Object.values).flatMap(Object.values<Operation>);
const examplesOf = ({ requestBody }: Operation) => Object.values(requestBody?.content ?? {})[0]?.examples ?? {};

// The linter checks each against its schema, over the whole document.
test("every body has named examples with a summary", () => {
  const withBody = operations().filter(({ requestBody }) => requestBody);
  expect(withBody.length).toBeGreaterThan(9);
  for (const operation of withBody) {
    const summaries = Object.values(examplesOf(operation)).map(({ summary }) => summary);
    expect(summaries, `body of ${operation.operationId}`).not.toEqual([]);
    for (const summary of summaries) expect(summary).toMatch(/^[A-Z].{3,}[^.]$/);
  }
});

test("ids in examples look like ids", () => {
  const ids: unknown[] = [];
  JSON.stringify(operations().map(examplesOf), (key, value: unknown) => {
    if (/(?:Id|_id)$/.test(key)) ids.push(value);
    return value;
  });
  expect(ids.length).toBeGreaterThan(10);
  for (const id of ids) expect(id).toMatch(/^[a-z0-9]{16}$/);
});

test("the default form for a new token grants only reading surveys", () => {
  const create = operations().find(({ operationId }) => operationId === "createToken")!;
  const [first] = Object.values(examplesOf(create));
  expect(first!.value).toEqual({ name: expect.any(String), scopes: ["surveys:read"] });
  expect(JSON.stringify(examplesOf(create))).not.toContain("full_access");
});

test("a write that needs `If-Match` has one filled in that is always taken", () => {
  const all = operations().flatMap(({ parameters = [] }) => parameters.filter(({ name }) => name === "If-Match"));
  expect(all.length).toBeGreaterThan(0);
  expect(all.map(({ example }) => example)).toEqual(all.map(() => "*"));
});

test("a body that may be left out is not called required", () => {
  const optional = operations().filter(({ requestBody }) => requestBody?.required === false);
  expect(optional.map(({ operationId }) => operationId)).toEqual([
    "copySurvey",
    "publishSurvey",
    "startRespondent",
    "startLinkRespondent",
  ]);
});

test("the details that a suggestion points at stand in the example of the error", () => {
  const pointers = Object.entries(document.components.examples).flatMap(([code, { value }]) =>
    [...value.error.suggestion.matchAll(/details\.(\w+)/g)].map(([, name]) => [code, name!] as const),
  );
  expect(pointers.map(([code, name]) => `${code} ${name}`)).toEqual(
    expect.arrayContaining(["breaking_change changes", "invalid_transition allowed", "survey_not_collecting reason"]),
  );
  for (const [code, name] of pointers) {
    const { details } = document.components.examples[code]!.value.error;
    const detail = Object.entries(details).find(([key]) => key === name)?.[1] as unknown;
    expect(detail ?? "", `details.${name} of ${code}`).not.toHaveLength(0);
  }
});

test("every error code is documented at an operation, except those of unknown addresses and methods", () => {
  const documented = new Set(
    Object.values(document.paths)
      .flatMap(Object.values<Operation>)
      .flatMap(errorCodesOf),
  );
  // Responses that the document states once for all operations.
  const everywhere = ["route_not_found", "method_not_allowed"];
  const others = Object.keys(errorCatalogue).filter((code) => !documented.has(code) && !everywhere.includes(code));
  expect(others).toEqual([]);
});

test("`forbidden` is documented exactly where the scope needs a power", () => {
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, "x-required-scope": scope = "" } = operation;
    const codes = errorCodesOf(operation);
    const needsPower = isScope(scope) && scopes[scope].power !== null;
    expect(codes.includes("forbidden"), `forbidden at ${operationId}`).toBe(needsPower);
  }
});
