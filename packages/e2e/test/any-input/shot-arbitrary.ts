import fc from "fast-check";
import type { Json } from "../../src/index.ts";
import { schemaArbitrary, type SchemaContext } from "../schema-arbitrary.ts";

export interface Shot {
  /** Encoded path parameters. Missing ones get existing ids. */
  ids: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: Json;
}

export interface ShotContext extends SchemaContext {
  workspaceId: string;
  /** Existing ids by name. */
  ids: Readonly<Record<string, string>>;
  /** Valid bodies. */
  bodies: Json[];
}

const id = fc.stringMatching(/^[a-z0-9]{16}$/);
const noIds = ["", "x", "ABCDEFGHIJKLMNOP", ".", "..", "%2e%2e", "%00", "%zz", "%C0%AF", "%20", "é", "*", "__proto__"];
const noKeys = ["", "two words", "x".repeat(129), "ünï", "\t"];

/** Requests for an operation: mostly valid, occasionally with a wrong part. */
export function shotArbitrary(context: ShotContext, path: string, operation: Json): fc.Arbitrary<Shot> {
  const parameters: Json[] = operation.parameters ?? [];
  return fc.record({
    ids: idsArbitrary(context, path),
    query: queryArbitrary(
      context,
      parameters.filter((parameter) => parameter.in === "query"),
    ),
    headers: headersArbitrary(context),
    body: bodyArbitrary(context, operation.requestBody?.content?.["application/json"]?.schema),
  });
}

/** Absent ids, ids of other resources and malformed ids, for one in five parameters. */
function idsArbitrary({ known }: ShotContext, path: string): fc.Arbitrary<Record<string, string>> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const other = fc.oneof(id, fc.constantFrom(...known), fc.constantFrom(...noIds, "a".repeat(3_000)));
  return someOf(names.map((name) => [name, 2, other]));
}

function queryArbitrary(context: ShotContext, parameters: Json[]): fc.Arbitrary<Record<string, string>> {
  return someOf(
    parameters.map(({ name, schema, required }) => {
      const any = schemaArbitrary(context, schema).map(asText);
      const id = context.ids[name];
      return [name, required ? 9 : 3, id === undefined ? any : fc.oneof(fc.constant(id), any)];
    }),
  );
}

function headersArbitrary({ workspaceId }: ShotContext): fc.Arbitrary<Record<string, string>> {
  // "again" repeats with different bodies and paths; other valid keys occur once.
  const key = fc.oneof(fc.stringMatching(/^[\x21-\x7e]{1,128}$/), fc.constantFrom("again", ...noKeys));
  return someOf([
    ["if-match", 8, fc.constantFrom("*", "*", "*", '"x"', "x", "")],
    ["idempotency-key", 3, key],
    ["x-workspace-id", 3, fc.oneof(fc.constant(workspaceId), fc.constant(workspaceId), id, fc.constantFrom(...noKeys))],
  ]);
}

/** Bodies generated from the schema, valid bodies, and valid bodies with one change. */
function bodyArbitrary(context: ShotContext, schema: Json): fc.Arbitrary<Json> {
  if (!schema) return fc.constant(undefined);
  const taken = fc.constantFrom(...context.bodies);
  const part = fc.oneof(fc.constant(undefined), schemaArbitrary(context, undefined));
  const nearly = fc.tuple(taken, fc.nat(), part).map(([body, place, other]) => {
    const places = placesOf(body);
    return replaced(body, places[place % places.length]!, other);
  });
  return fc.oneof(schemaArbitrary(context, schema), taken, nearly);
}

/** The paths to a value and to all its parts. */
function placesOf(value: Json, way: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [way];
  return [way, ...Object.entries(value).flatMap(([key, part]) => placesOf(part, [...way, key]))];
}

function replaced(value: Json, [key, ...rest]: string[], other: Json): Json {
  if (key === undefined) return other;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = replaced(value[key], rest, other);
  return copy;
}

/** Includes each text in `ofTen` of ten cases. */
function someOf(texts: [name: string, ofTen: number, text: fc.Arbitrary<string>][]) {
  const values = texts.map(([, ofTen, arbitrary]) =>
    fc.oneof({ weight: ofTen, arbitrary }, { weight: 10 - ofTen, arbitrary: fc.constant(undefined) }),
  );
  return fc.tuple(...values).map((chosen) =>
    Object.fromEntries(
      texts.flatMap(([name], index) => {
        const text = chosen[index];
        return text === undefined ? [] : [[name, text]];
      }),
    ),
  );
}

const asText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
