import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { FakeServices } from "./fake-services.ts";
import { filledServices } from "./fuzz/filled-services.ts";
import { resolveReferences } from "./fuzz/resolve-references.ts";
import type { Schema } from "./fuzz/schema-arbitrary.ts";
import { startEdge, read, type Answer, type Edge } from "./start-edge.ts";

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema & { default?: unknown };
}

interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { examples: Record<string, { value: unknown }> }> };
}

type Documented = Omit<Operation, "parameters"> & { parameters?: Parameter[] };

let edge: Edge;
let token: string;
let operations: Operation[];
const asked: unknown[] = [];
beforeAll(async () => {
  edge = await startEdge(recording(filledServices()), {
    config: { CANVASS_RATE_LIMITS: "off", CANVASS_REQUEST_TIMEOUT_MS: 60_000 },
  });
  token = edge.services.issueToken(["full_access", "events:write"]).value;
  const { paths } = resolveReferences((await edge.call("/openapi.json")).body as { paths: object });
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Documented>).map(([method, { parameters = [], ...described }]) => ({
      ...described,
      parameters,
      method: method.toUpperCase(),
      path,
    })),
  );
});
beforeEach(() => asked.splice(0));
afterAll(() => edge[Symbol.asyncDispose]());

/** Records the requests to each service, without the caller, except those in the background. */
function recording(services: FakeServices): FakeServices {
  const recorded = Object.entries(services).map(([service, methods]) => [
    service,
    Object.fromEntries(
      Object.entries(methods as Record<string, (request: unknown) => unknown>).map(([name, answer]) => [
        name,
        (request: unknown) => {
          if (name !== "recordTokenUses")
            asked.push([name, JSON.parse(JSON.stringify(request, (key, value: unknown) => plain(key, value)))]);
          return answer(request);
        },
      ]),
    ),
  ]);
  return Object.fromEntries(recorded) as FakeServices;
}

function plain(key: string, value: unknown): unknown {
  if (key === "caller") return undefined;
  return typeof value === "bigint" ? String(value) : value;
}

interface Sent {
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

async function send({ method, path, parameters, requestBody }: Operation, { query = {}, headers }: Sent) {
  const address = path.replaceAll(/\{\w+\}/g, "0123456789abcdef");
  const needed = parameters.filter((each) => each.required && each.in === "header");
  const known: Record<string, string> = { "If-Match": "*", "X-Respondent-Token": "workspace0000000.secret" };
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const example = Object.values(content?.examples ?? {})[0]?.value;
  const body = type === "multipart/form-data" ? new FormData() : typeof example === "string" ? example : undefined;
  return read(
    await fetch(`${edge.url}${address}?${new URLSearchParams(query).toString()}`, {
      method,
      redirect: "manual",
      headers: {
        authorization: `Bearer ${token}`,
        ...(type !== undefined && !(body instanceof FormData) && { "content-type": type }),
        ...Object.fromEntries(needed.map(({ name }) => [name, known[name]!])),
        ...headers,
      },
      ...(type !== undefined && { body: body ?? JSON.stringify(example) }),
    }),
  );
}

/** Returns for each operation the violation of `name`, or the whole response if the request was not refused. */
async function refusals(of: readonly Operation[], sent: Sent, name: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const operation of of) {
    const { status, body, text } = await send(operation, sent);
    found[operation.operationId] = [400, 422].includes(status) ? body.error.details[name] : text;
  }
  return found;
}

const each = (of: readonly Operation[], value: unknown) =>
  Object.fromEntries(of.map(({ operationId }) => [operationId, value]));

const takes = ({ parameters }: Operation, name: string) => parameters.some((parameter) => parameter.name === name);

test("no operation takes a parameter of the query that it does not have", async () => {
  expect(operations.length).toBeGreaterThan(100);
  const found = await refusals(operations, { query: { surprise: "1" } }, "surprise");
  expect(found).toEqual(each(operations, ["is not a known parameter"]));
});

const withoutEffect = ["has no effect on this operation; leave it out"];

test("a value that a parameter of the query does not take is refused with those that it takes", async () => {
  let judged = 0;
  for (const operation of operations) {
    for (const { name, in: place, schema } of operation.parameters) {
      const words = schema["type"] === "boolean" ? ["true", "false"] : (schema["enum"] ?? []);
      if (place !== "query" || words.length === 0) continue;
      judged += 1;
      const found = await refusals([operation], { query: { [name]: "surprise" } }, name);
      const [message] = found[operation.operationId] as [string];
      expect(message).toMatch(/^must be /);
      for (const word of words) expect(message, `${operation.operationId} ${name}`).toContain(String(word));
    }
  }
  expect(judged).toBeGreaterThan(30);
});

test("`If-Match` is refused where nothing is compared with it", async () => {
  const unaware = operations.filter((operation) => !takes(operation, "If-Match"));
  expect(unaware.length).toBeGreaterThan(50);
  const found = await refusals(unaware, { headers: { "if-match": '"0123456789abcdef"' } }, "If-Match");
  expect(found).toEqual(each(unaware, withoutEffect));
});

test("a file is sent only in the version that `If-Match` names", async () => {
  const download = operations.find(({ operationId }) => operationId === "downloadExportFile")!;
  const answers = ["*", '"a"', '"b", "a"', '"b"', 'W/"a"'].map((tags) =>
    send(download, { headers: { "if-match": tags } }),
  );
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 412, 412]);
});

test("`If-None-Match` is refused by writes", async () => {
  const writes = operations.filter(({ method }) => method !== "GET");
  for (const tags of ["*", '"0123456789abcdef"']) {
    const found = await refusals(writes, { headers: { "if-none-match": tags } }, "If-None-Match");
    expect(found).toEqual(each(writes, withoutEffect));
  }
});

test("common headers are accepted where they have no effect, and not documented there", async () => {
  const unaware = operations.filter((operation) => !takes(operation, "Idempotency-Key"));
  expect(unaware.filter(({ method }) => method !== "GET").map(({ operationId }) => operationId)).toEqual([
    "createToken",
    "rotateToken",
    "countCrosstab",
    "computeSeries",
    "createSubscription",
    "rotateSecret",
    // It writes nothing.
    "planSurveyDocument",
  ]);
  const headers = { "idempotency-key": "k", "x-workspace-id": "workspace0000000", "x-respondent-token": "w.s" };
  const taken = unaware.filter(({ operationId }) => operationId !== "getLinkRespondent");
  const refused: string[] = [];
  for (const operation of taken) {
    const { status, text } = await send(operation, { headers, query: neededOf(operation) });
    if (status >= 400) refused.push(`${operation.operationId}: ${text}`);
  }
  expect(refused).toEqual([]);
});

const neededOf = ({ parameters }: Operation) =>
  Object.fromEntries(
    parameters.filter((each) => each.required && each.in === "query").map((each) => [each.name, another(each)]),
  );

/** A value that is not the default. */
function another({ schema }: Parameter): string {
  const { type, enum: words, format, pattern, default: usual, minimum = 0 } = schema;
  if (words) return String(words.findLast((word) => word !== usual));
  if (type === "boolean") return String(usual !== true);
  if (type === "integer") return String(minimum + 1);
  if (format === "date-time") return "2026-01-31T12:00:00Z";
  if (pattern === undefined) return "abc";
  return ["0123456789abcdef", "pt-BR"].find((text) => new RegExp(pattern, "u").test(text))!;
}

test("every query parameter has an effect", async () => {
  const all = operations.flatMap((operation) =>
    operation.parameters.filter((parameter) => parameter.in === "query").map((parameter) => ({ operation, parameter })),
  );
  expect(all.length).toBeGreaterThan(50);
  const idle: string[] = [];
  for (const { operation, parameter } of all) {
    const needed = neededOf(operation);
    const { [parameter.name]: _, ...others } = needed;
    // The first call fills caches.
    await effects(operation, others);
    const usual = await effects(operation, others);
    const changed = await effects(operation, { ...needed, [parameter.name]: another(parameter) });
    const where = `${parameter.name} of ${operation.operationId}`;
    expect(changed.status, `${where}: ${changed.text}`).toBeLessThan(300);
    expect(await effects(operation, others), `${where}, asked again`).toEqual(usual);
    if (JSON.stringify(usual) === JSON.stringify(changed)) idle.push(where);
  }
  expect(idle).toEqual([]);
});

async function effects(operation: Operation, query: Record<string, string>) {
  asked.splice(0);
  const answer = await send(operation, { query });
  return { status: answer.status, text: contentOf(answer), asked: [...asked] };
}

/** Without the time of the answer. */
const contentOf = ({ body, text }: Answer): string =>
  body === undefined ? text.replace(/Results of \S+ \S+ UTC/, "Results") : JSON.stringify({ ...body, meta: undefined });

test("filters without a value are refused", async () => {
  const ofContacts = ["email=", "externalId=", "q=", "q=%20"].map((filter) => `contacts?${filter}`);
  for (const query of [...ofContacts, "surveys?q=", "audit-log?actor=", "audit-log?resource="]) {
    const { status } = await edge.call(`/${query}`);
    expect(status, `of ${query}`).toBe(422);
  }
});
