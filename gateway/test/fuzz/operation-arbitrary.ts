import fc from "fast-check";
import { hostileText, hostileValue, nearly, validValue, type Schema } from "./schema-arbitrary.ts";

/** An operation of the API's document. */
export interface Operation {
  operationId: string;
  method: string;
  /** With its parameters in braces. */
  path: string;
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  body: Schema | undefined;
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
  errorCodes: string[];
}

export interface WireRequest {
  operationId: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Whether all parts are valid. */
  proper: boolean;
}

interface Part<Value> {
  value: Value;
  proper: boolean;
}

const proper = <Value>(arbitrary: fc.Arbitrary<Value>) => arbitrary.map((value) => ({ value, proper: true }));
const hostile = <Value>(arbitrary: fc.Arbitrary<Value>) => arbitrary.map((value) => ({ value, proper: false }));

const id = fc.stringMatching(/^[a-z0-9]{16}$/);
// A lone surrogate has no encoding.
const encode = (text: string) => encodeURIComponent(text.toWellFormed());
const rawSegment = fc.constantFrom("%zz", "%", "%c0%af", "%00", ".", "..", "%2e%2e", ";a=b", "a//b", "é");

/** Requests for an operation: most valid but for one part, some hostile. */
export function requestFor(operation: Operation, token: string): fc.Arbitrary<WireRequest> {
  const parts = [pathPart, queryPart, headersPart, bodyPart] as const;
  const all = (broken: number) =>
    fc.tuple(
      ...(parts.map((part, index) => part(operation, token, broken === index || broken === -1)) as [
        fc.Arbitrary<Part<string>>,
        fc.Arbitrary<Part<string>>,
        fc.Arbitrary<Part<Record<string, string>>>,
        fc.Arbitrary<Part<{ body: string | undefined; headers: Record<string, string> }>>,
      ]),
    );
  return fc.constantFrom(4, 0, 1, 1, 2, 2, 3, 3, 3, -1).chain((broken) =>
    all(broken).map(([path, query, headers, body]) => ({
      operationId: operation.operationId,
      method: operation.method,
      path: `${operation.path.startsWith("/public/") ? "" : "/api/v1"}${path.value}${query.value}`,
      headers: { ...headers.value, ...body.value.headers },
      body: body.value.body,
      proper: [path, query, headers, body].every((part) => part.proper),
    })),
  );
}

function pathPart({ path }: Operation, _token: string, broken: boolean): fc.Arbitrary<Part<string>> {
  const names = path.split("/").filter((segment) => segment.startsWith("{"));
  const segment = broken ? fc.oneof(hostile(fc.oneof(hostileText.map(encode), rawSegment)), proper(id)) : proper(id);
  return fc.tuple(...names.map(() => segment)).map((segments) => ({
    value: names.reduce((filled, name, index) => filled.replace(name, () => segments[index]!.value), path),
    proper: segments.every((each) => each.proper),
  }));
}

type Pairs = [string, unknown][];

function queryPart({ parameters }: Operation, _token: string, broken: boolean): fc.Arbitrary<Part<string>> {
  const known = parameters.filter((parameter) => parameter.in === "query");
  const values = Object.fromEntries(known.map(({ name, schema }) => [name, validValue(schema)]));
  const valid: fc.Arbitrary<Pairs> = fc
    .record(values, {
      requiredKeys: known.filter(({ required }) => required).map(({ name }) => name),
      noNullPrototype: true,
    })
    .map((record) => Object.entries(record));
  if (!broken) return proper(valid.map(queryText));
  const names = fc.oneof(fc.constantFrom("limit", "cursor", ...known.map(({ name }) => name)), hostileText);
  const more: fc.Arbitrary<Pairs> = fc.array(fc.tuple(names, fc.oneof(hostileText, fc.integer())), { maxLength: 4 });
  const raw = fc.constantFrom(
    "?",
    "?&&&",
    "?%",
    "?=",
    "?a",
    "?limit=%zz",
    "?limit[]=1",
    "?limit=1&limit=2",
    "?;",
    "?#",
  );
  return hostile(
    fc.oneof(
      fc.tuple(valid, more).map(([one, other]) => queryText([...one, ...other])),
      raw,
    ),
  );
}

function queryText(pairs: Pairs): string {
  const parts = pairs.map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

// Node's client sends no other characters in headers.
const headerText = fc
  .oneof(hostileText, fc.string({ maxLength: 200 }))
  .map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "?"));
const etag = fc.constantFrom("*", '"0123456789abcdef"', '"a", "b"');
const key = fc.stringMatching(/^[\x21-\x7e]{1,128}$/);

function headersPart(operation: Operation, token: string, broken: boolean): fc.Arbitrary<Part<Record<string, string>>> {
  const declared = operation.parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name);
  const known: Record<string, fc.Arbitrary<string>> = {
    "If-Match": etag,
    "If-None-Match": etag,
    "Idempotency-Key": key,
    "X-Workspace-ID": fc.constant("workspace0000000"),
    "X-Respondent-Token": fc.constant("workspace0000000.secret"),
  };
  const values = Object.fromEntries(declared.map((name) => [name, known[name]!]));
  const requiredKeys = operation.parameters
    .filter((each) => each.in === "header" && each.required)
    .map(({ name }) => name);
  const valid = fc
    .record(values, { requiredKeys, noNullPrototype: true })
    .map((headers) => ({ authorization: `Bearer ${token}`, ...headers }));
  if (!broken) return proper(valid);
  const names = [
    ...Object.keys(known),
    "Authorization",
    "X-Request-Id",
    "Traceparent",
    "Accept",
    "X-Forwarded-For",
    "Origin",
  ];
  const odd = fc.dictionary(fc.constantFrom(...names), headerText, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  const without = fc.constantFrom(...names);
  return hostile(
    fc.tuple(valid, odd, fc.boolean(), without).map(([headers, more, replaced, left]) => {
      const lower = (record: object) =>
        Object.entries(record).map(([name, value]) => [name.toLowerCase(), value as string]);
      const joined = Object.fromEntries([...lower(headers), ...(replaced ? lower(more) : [])]) as Record<
        string,
        string
      >;
      if (!replaced) delete joined[left.toLowerCase()];
      return joined;
    }),
  );
}

interface Sent {
  body: string | undefined;
  headers: Record<string, string>;
}

const asJson = (value: unknown): Sent => ({
  body: JSON.stringify(value),
  headers: { "content-type": "application/json" },
});

const nothing: Sent = { body: undefined, headers: {} };

function bodyPart({ body, method }: Operation, _token: string, broken: boolean): fc.Arbitrary<Part<Sent>> {
  // Bodies that are optional may be left out.
  const valid = body === undefined ? fc.constant(nothing) : validValue(body).map(asJson);
  if (!broken || method === "GET") return proper(valid);
  const odd = fc.oneof(
    { weight: 4, arbitrary: nearly(body === undefined ? hostileValue : validValue(body)).map(asJson) },
    { weight: 2, arbitrary: hostileValue.map(asJson) },
    { weight: 1, arbitrary: fc.constant(nothing) },
    { weight: 1, arbitrary: fc.oneof(hostileText, fc.json()).map((text) => ({ ...asJson(null), body: text })) },
    {
      weight: 1,
      arbitrary: fc.tuple(valid, headerText).map(([sent, type]) => ({ ...sent, headers: { "content-type": type } })),
    },
  );
  return hostile(odd);
}
