import fc from "fast-check";
import { hostileText, validValue, type Schema } from "./schema-arbitrary.ts";

/** An operation of the API's document. */
export interface Operation {
  operationId: string;
  method: string;
  /** Contains its parameters in braces. */
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
// A lone surrogate cannot be encoded.
const encode = (text: string) => encodeURIComponent(text.toWellFormed());
const rawSegment = fc.constantFrom("%zz", "%", "%c0%af", "%00", ".", "..", "%2e%2e", ";a=b", "a//b", "é");

const oddParts = ["path", "query", "headers"] as const;
type OddPart = (typeof oddParts)[number];

/** Valid requests for an operation. */
export const properRequest = (operation: Operation, token: string): fc.Arbitrary<WireRequest> =>
  requestWith([], operation, token);

/** Requests with a hostile path, query or headers, or all three. packages/e2e/test/any-input tests bodies. */
export const oddRequest = (operation: Operation, token: string): fc.Arbitrary<WireRequest> =>
  fc
    .constantFrom<readonly OddPart[]>(["path"], ["query"], ["headers"], oddParts)
    .chain((odd) => requestWith(odd, operation, token));

function requestWith(odd: readonly OddPart[], operation: Operation, token: string): fc.Arbitrary<WireRequest> {
  return fc
    .tuple(
      pathPart(operation, odd.includes("path")),
      queryPart(operation, odd.includes("query")),
      headersPart(operation, token, odd.includes("headers")),
      validBody(operation),
    )
    .map(([path, query, headers, body]) => ({
      operationId: operation.operationId,
      method: operation.method,
      path: `${path.value}${query.value}`,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers.value },
      body,
      proper: path.proper && query.proper && headers.proper,
    }));
}

function pathPart({ path }: Operation, odd: boolean): fc.Arbitrary<Part<string>> {
  const names = path.split("/").filter((segment) => segment.startsWith("{"));
  const segment = odd ? fc.oneof(hostile(fc.oneof(hostileText.map(encode), rawSegment)), proper(id)) : proper(id);
  return fc.tuple(...names.map(() => segment)).map((segments) => ({
    value: names.reduce((filled, name, index) => filled.replace(name, () => segments[index]!.value), path),
    proper: segments.every((each) => each.proper),
  }));
}

type Pairs = [string, unknown][];

function queryPart({ parameters }: Operation, odd: boolean): fc.Arbitrary<Part<string>> {
  const known = parameters.filter((parameter) => parameter.in === "query");
  const values = Object.fromEntries(known.map(({ name, schema }) => [name, validValue(schema)]));
  const hindrances = Object.fromEntries(known.map(({ name, schema }) => [name, schema["x-not-beside"] ?? []]));
  const valid: fc.Arbitrary<Pairs> = fc
    .record(values, {
      requiredKeys: known.filter(({ required }) => required).map(({ name }) => name),
      noNullPrototype: true,
    })
    .map((record) =>
      Object.entries(record).filter(([name]) => !hindrances[name]!.some((other) => Object.hasOwn(record, other))),
    );
  if (!odd) return proper(valid.map(queryText));
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
/** `"a"` is that of the file (`filledServices`). */
const etag = fc.constantFrom("*", '"a"', '"a", "b"');
const key = fc.stringMatching(/^[\x21-\x7e]{1,128}$/);

function headersPart(operation: Operation, token: string, odd: boolean): fc.Arbitrary<Part<Record<string, string>>> {
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
  if (!odd) return proper(valid);
  const names = [
    ...Object.keys(known),
    "Authorization",
    "Content-Type",
    "X-Request-Id",
    "Traceparent",
    "Accept",
    "X-Forwarded-For",
    "Origin",
  ];
  const others = fc.dictionary(fc.constantFrom(...names), headerText, {
    minKeys: 1,
    maxKeys: 3,
    noNullPrototype: true,
  });
  const without = fc.constantFrom(...names);
  return hostile(
    fc.tuple(valid, others, fc.boolean(), without).map(([headers, more, replaced, left]) => {
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

/** The text of a valid body, or undefined if the operation has none. */
const validBody = ({ body }: Operation): fc.Arbitrary<string | undefined> =>
  body === undefined ? fc.constant(undefined) : validValue(body).map((value) => JSON.stringify(value));
