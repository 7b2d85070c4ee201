import fc from "fast-check";
import pLimit from "p-limit";
import { expect, test } from "vitest";
import { nearly, validValue, type Schema } from "../../../../gateway/test/fuzz/schema-arbitrary.ts";
import type { ApiResponse, Json } from "../../src/index.ts";
import { allowedRefusals } from "./allowed-refusals.ts";
import {
  addressOf,
  documentedOperations,
  operationsAtOnce,
  type DocumentedOperation,
} from "./documented-operations.ts";
import { api, demo, dropSubscription, schemaAt, withPrepared, type Prepared } from "./prepared-system.ts";

/** Numbers of requests for each operation. Without a body, only parameters and headers vary. */
export interface RequestsEach {
  withBody: number;
  others: number;
}

/** Tests by the schemas of the document that valid requests are not refused for their shape, and invalid ones are. */
export function testDocumentedRequests(each: RequestsEach): void {
  test("what the document allows is not refused for its shape", async () => {
    const refused: string[] = [];
    await forEachOperation(each, documentedOperations().filter(takesNoFile), properRequest, (name, request, answer) => {
      for (const { code, details } of refusalsIn(answer)) {
        const places = Object.keys(details);
        const allowed =
          code !== "malformed_json" && places.length > 0 && places.every((place) => isAllowed(place, request));
        const wrong = places.filter((place) => !isAllowed(place, request)).join(" ");
        if (!allowed && !notOfShape.has(code)) refused.push(`${name} ${code} ${wrong} ${JSON.stringify(request)}`);
      }
    });
    expect(refused.map((each) => each.slice(0, 900))).toEqual([]);
  }, 900_000);

  test("a body that the document does not allow is refused", async () => {
    const taken: string[] = [];
    await forEachOperation(each, documentedOperations().filter(hasBody), improperRequest, (name, request, answer) => {
      if (answer.status < 400 && refusalsIn(answer).length === 0) {
        taken.push(`${name} ${JSON.stringify(request)}: ${answer.raw}`);
      }
    });
    expect(taken.map((each) => each.slice(0, 900))).toEqual([]);
  }, 900_000);
}

/** Refusals that do not depend on the shape. */
const notOfShape = new Set(["survey_not_collecting", "respondent_not_found", "idempotency_key_reused"]);

/** The error of a request, or the errors of a batch's submissions. */
function refusalsIn({ status, body }: ApiResponse): { code: string; details: object }[] {
  if (status === 400 || status === 422) return [body.error!];
  const submissions: { error: { code: string; details: object } | null }[] = body.data?.submissions ?? [];
  return submissions.flatMap(({ error }) => error ?? []);
}

const isAllowed = (place: string, { body: sent = "" }: Request) =>
  allowedRefusals.some(({ place: allowed, body }) => allowed.test(place) && (body === undefined || body.test(sent)));

interface Request {
  query: Record<string, Json>;
  headers: Record<string, string>;
  /** JSON text. */
  body?: string;
}

type MakeRequest = (target: DocumentedOperation, known: readonly string[]) => fc.Arbitrary<Request>;

const hasBody = ({ operation }: DocumentedOperation): boolean => bodySchema(operation) !== undefined;
const takesNoFile = ({ operation }: DocumentedOperation): boolean =>
  operation.requestBody === undefined || bodySchema(operation) !== undefined;

async function forEachOperation(
  each: RequestsEach,
  targets: readonly DocumentedOperation[],
  make: MakeRequest,
  look: (name: string, request: Request, answer: ApiResponse) => void,
): Promise<void> {
  const { seed = Date.now() % 1_000_000 } = fc.readConfigureGlobal();
  const sendAll = async (target: DocumentedOperation, prepared: Prepared) => {
    const requests = make(target, knownIds(prepared));
    const numRuns = hasBody(target) ? each.withBody : each.others;
    await pLimit(8).map(fc.sample(requests, { numRuns, seed }), async (request) => {
      const answer = await send(target, prepared, request);
      look(`seed ${seed}: ${target.operation.operationId}`, request, answer);
      if (target.path === "/event-subscriptions" && answer.status === 201) await dropSubscription(answer.data.id);
    });
  };
  await operationsAtOnce.map(targets, (target) => withPrepared(target, (prepared) => sendAll(target, prepared)));
}

const knownIds = ({ survey: { choices, ...survey }, ids }: Prepared) => [
  ...Object.values(survey),
  ...choices,
  ...Object.values(ids),
];

function send({ method, path }: DocumentedOperation, { ids }: Prepared, request: Request): Promise<ApiResponse> {
  // A list is a parameter that is repeated.
  const pairs = Object.entries(request.query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  const query = new URLSearchParams(pairs).toString();
  const { body, headers } = request;
  const own = { ...headers, ...("X-Workspace-ID" in headers && { "X-Workspace-ID": demo.system.local.workspaceId }) };
  return api.call(method, `${addressOf(path, ids)}${query && `?${query}`}`, {
    headers: own,
    body,
  });
}

function properRequest({ operation }: DocumentedOperation, known: readonly string[]): fc.Arbitrary<Request> {
  const body = bodySchema(operation);
  return fc.record({
    query: parameters(operation, "query", known),
    headers: headersOf(operation, known),
    ...(body && { body: validValue(body, known).map((value) => JSON.stringify(value)) }),
  });
}

/** A request with a nearly valid body, for an operation that has one. */
function improperRequest({ operation, place }: DocumentedOperation, known: readonly string[]): fc.Arbitrary<Request> {
  const schema = bodySchema(operation)!;
  const validate = schemaAt(...place, "requestBody", "content", "application/json", "schema");
  // Where a body is optional, `null` is none (contract 2.4).
  const takes = (body: Json) => (body === null && !operation.requestBody.required) || validate(body);
  const body = nearly(validValue(schema, known))
    .map((value) => JSON.stringify(value) ?? "")
    .filter((text) => text !== "" && !takes(JSON.parse(text)));
  return fc.record({ query: fc.constant({}), headers: headersOf(operation, known), body });
}

const bodySchema = ({ requestBody }: Json): Schema | undefined => requestBody?.content["application/json"]?.schema;

function parameters(operation: Json, place: string, known: readonly string[]): fc.Arbitrary<Record<string, Json>> {
  const declared: Json[] = (operation.parameters ?? []).filter((parameter: Json) => parameter.in === place);
  const values = declared.map(({ name, schema }) => [name, conditions[name] ?? validValue(schema, known)]);
  const requiredKeys = declared.filter(({ required }) => required).map(({ name }) => name as string);
  return fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<Json>>, { requiredKeys });
}

// Fixed values: their contents are opaque, and our client refuses bytes that no client sends.
const conditions: Record<string, fc.Arbitrary<string>> = {
  "If-Match": fc.constant("*"),
  "If-None-Match": fc.constantFrom("*", '"none"'),
};

const headersOf = (operation: Json, known: readonly string[]) =>
  parameters(operation, "header", known) as fc.Arbitrary<Record<string, string>>;
