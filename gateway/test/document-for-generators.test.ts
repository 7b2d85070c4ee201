import { questionTypes } from "@canvass/questions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pascalCase } from "../src/plugins/openapi/pascal-case.ts";
import { startEdge, type Edge } from "./start-edge.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
}

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: { $ref?: string; in?: string; name?: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, { in: string }> };
}

let edge: Edge;
let document: Document;
let source: string;
beforeAll(async () => {
  edge = await startEdge();
  ({ text: source, body: document } = await edge.call("/openapi.json", { token: null }));
});
afterAll(() => edge[Symbol.asyncDispose]());

const operations = () => Object.values(document.paths).flatMap(Object.values<Operation>);
const schemas = () => document.components.schemas;
const nameIn = ({ $ref }: Schema) => $ref?.replace("#/components/schemas/", "");

/** Visits every schema with its place; names of properties are no keywords. */
function visitSchemas(look: (schema: Schema, place: string) => void): void {
  function visit(schema: Schema | undefined, place: string): void {
    if (schema === undefined || typeof schema !== "object") return;
    look(schema, place);
    for (const [name, each] of Object.entries(schema.properties ?? {})) visit(each, `${place}.${name}`);
    for (const keyword of ["oneOf", "anyOf", "allOf"] as const) {
      const variants = (schema as Record<string, Schema[] | undefined>)[keyword] ?? [];
      variants.forEach((each, index) => visit(each, `${place}.${keyword}.${index}`));
    }
    visit(schema.items, `${place}[]`);
    if (typeof schema.additionalProperties === "object") visit(schema.additionalProperties, `${place}{}`);
  }
  for (const [name, schema] of Object.entries(schemas())) visit(schema, name);
  for (const { operationId, parameters = [], requestBody, responses } of operations()) {
    for (const { schema } of parameters) visit(schema, `${operationId} parameter`);
    const contents = [requestBody?.content ?? {}, ...Object.values(responses).map(({ content = {} }) => content)];
    for (const { schema } of contents.flatMap(Object.values<{ schema: Schema }>)) visit(schema, operationId);
  }
}

function placesOf(isBad: (schema: Schema, place: string) => boolean): string[] {
  const places: string[] = [];
  visitSchemas((schema, place) => isBad(schema, place) && places.push(place));
  return places;
}

test("every request and everything that an answer holds has a name", () => {
  for (const { operationId, requestBody } of operations()) {
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      expect(nameIn(schema)).toBe(`${pascalCase(operationId)}Request`);
    }
  }
  // The envelope, and what narrows the codes of errors.
  const isEnvelope = ({ properties }: Schema) => properties !== undefined && "success" in properties;
  const isNarrowing = (place: string) => /^\w+Failure\.allOf\.1/.test(place);
  const inline = placesOf(
    (schema, place) => schema.properties !== undefined && /\W/.test(place) && !isNarrowing(place),
  );
  expect(inline).toEqual([]);
  const unnamed = placesOf(
    (schema, place) =>
      schema.properties !== undefined && !(place in schemas()) && !isNarrowing(place) && !isEnvelope(schema),
  );
  expect(unnamed).toEqual([]);
});

test("no name is one that generators make of an operation themselves, or that languages have", () => {
  const made = operations().flatMap(({ operationId }) =>
    ["Response", "Responses", "Error", "Errors", "Data", "Options"].map((end) => pascalCase(operationId) + end),
  );
  const languages = ["Error", "Import", "Export", "Element", "Page", "Version", "Request", "Response", "Object", "Map"];
  const taken = new Set([...made, ...languages]);
  expect(Object.keys(schemas()).filter((name) => taken.has(name))).toEqual([]);
  const ids = operations().map(({ operationId }) => pascalCase(operationId));
  expect(ids.filter((id) => ids.includes(`${id}Response`))).toEqual([]);
});

test("settings of a survey are described once, for requests and for answers", () => {
  const settings = { $ref: "#/components/schemas/SurveySettings" };
  for (const name of ["CreateSurveyRequest", "UpdateSurveyRequest", "Survey", "CreatedSurvey"]) {
    expect(schemas()[name]!.properties!["settings"], `settings of ${name}`).toEqual(settings);
  }
  expect(source.split('"showBranding":{')).toHaveLength(2);
  for (const [group, { $ref }] of Object.entries(schemas()["PublicSettings"]!.properties!)) {
    expect(schemas()["SurveySettings"]!.properties![group]!.$ref).toBe($ref);
  }
});

test("questions, elements, answers, results, events and errors are discriminated by one field", () => {
  const discriminated = {
    Question: "type",
    SurveyElement: "typeName",
    ElementDetails: "typeName",
    PublicElement: "typeName",
    AnswerInput: "type",
    Answer: "type",
    AnswerRow: "type",
    OwnAnswer: "type",
    QuestionStats: "typeName",
    FeedEvent: "type",
    ErrorInfo: "code",
  };
  for (const [name, propertyName] of Object.entries(discriminated)) {
    const { oneOf, discriminator } = schemas()[name]!;
    expect(discriminator!.propertyName).toBe(propertyName);
    const mapped = Object.entries(discriminator!.mapping);
    expect(new Set(mapped.map(([, $ref]) => $ref))).toEqual(new Set(oneOf!.map(({ $ref }) => $ref)));
    for (const [value, $ref] of mapped) {
      expect(schemas()[nameIn({ $ref })!]!.properties![propertyName]!.enum, `${name} ${value}`).toContain(value);
    }
  }
  expect(Object.keys(schemas()["Question"]!.discriminator!.mapping)).toEqual(
    questionTypes.map(({ typeName }) => typeName),
  );
});

test("values of answers and settings of elements have a schema for each type", () => {
  for (const { typeName, answerable } of questionTypes) {
    const name = pascalCase(typeName);
    const reference = (of: string) => ({ $ref: `#/components/schemas/${name}${of}` });
    const propertiesOf = (schema: string) => schemas()[schema]?.properties ?? {};
    expect(propertiesOf(`PublicElement${name}`)["settings"]).toEqual(reference("Settings"));
    expect(propertiesOf(`Element${name}Settings`)["typeSettings"]).toEqual(reference("Settings"));
    for (const union of ["Answer", "AnswerRow", "OwnAnswer"]) {
      expect(propertiesOf(union + name)["value"]).toEqual(answerable ? reference("Value") : undefined);
    }
    expect(propertiesOf(`AnswerInput${name}`)["value"]).toEqual(answerable ? reference("ValueInput") : undefined);
  }
});

test("only headers are named parameters, and the workspace is not one", () => {
  for (const parameter of Object.values(document.components.parameters)) expect(parameter.in).toBe("header");
  for (const { operationId, parameters = [] } of operations()) {
    for (const { $ref, in: place } of parameters)
      expect($ref === undefined, `of ${operationId}`).toBe(place !== undefined);
    expect(parameters.filter(({ in: place }) => place === "header")).toEqual([]);
  }
  expect(source).not.toContain('X-Workspace-ID":');
});

test("a request has one media type, and so has each answer: streams and files are operations of their own", () => {
  for (const { operationId, requestBody, responses } of operations()) {
    for (const { content } of [requestBody ?? {}, ...Object.values(responses)] as { content?: object }[]) {
      expect(Object.keys(content ?? {}).length, `of ${operationId}`).toBeLessThan(2);
    }
  }
  const typesOf = (id: string) => {
    const { requestBody, responses } = operations().find(({ operationId }) => operationId === id)!;
    return [requestBody, responses["200"]].map((part) => Object.keys(part?.content ?? {}).join());
  };
  expect(typesOf("streamAnswers")).toEqual(["", "application/x-ndjson"]);
  expect(typesOf("createContactCsvImport")).toEqual(["text/csv", "application/json"]);
  expect(typesOf("downloadExportFile")).toEqual(["", "*/*"]);
});

test("failures are the default response", () => {
  for (const { operationId, responses } of operations()) {
    const statuses = Object.keys(responses).filter((status) => !/^(2\d\d|304)$/.test(status));
    expect(statuses, `of ${operationId}`).toEqual(["default"]);
    expect(nameIn(responses["default"]!.content!["application/json"]!.schema)).toBe(
      `${pascalCase(operationId)}Failure`,
    );
  }
});

test("what readers of OpenAPI 3.0 and 3.1 understand alike is used, and null is written in one way", () => {
  const keywords = [
    "const",
    "anyOf",
    "nullable",
    "patternProperties",
    "propertyNames",
    "exclusiveMinimum",
    "exclusiveMaximum",
  ];
  expect(placesOf((schema) => keywords.some((keyword) => keyword in schema))).toEqual([]);
  const isNull = ({ type }: Schema) => type === "null";
  expect(placesOf((schema) => isNull(schema) || (schema.oneOf ?? []).some(isNull))).toEqual([]);
  const scalars = ({ type = [] }: Schema) => [type].flat().filter((each) => each !== "null");
  expect(placesOf((schema) => scalars(schema).length > 1)).toEqual([]);
  expect(placesOf(({ enum: values, type }) => values !== undefined && type === undefined)).toEqual([]);
  const mixes = ({ oneOf = [] }: Schema) => oneOf.some((each) => scalars(each).includes("array"));
  expect(placesOf(mixes)).toEqual([]);
});

test("every choice between schemas has a name", () => {
  const unnamed = placesOf(({ oneOf }, place) => oneOf !== undefined && !(place in schemas()));
  expect(unnamed).toEqual([]);
  expect(schemas()["Contact"]!.properties!["attributes"]!.additionalProperties).toEqual({
    $ref: "#/components/schemas/AttributeValue",
  });
});

test("every list continues by cursor, and says in the same way whether more follows", () => {
  const lists = Object.values(document.paths).flatMap(({ get }) => {
    const envelope = get?.responses["200"]?.content?.["application/json"]?.schema;
    return envelope?.properties?.["data"]?.type === "array" ? [{ operationId: get!.operationId, envelope }] : [];
  });
  expect(lists.length).toBeGreaterThan(15);
  for (const { operationId, envelope } of lists) {
    expect(nameIn(envelope.properties!["pagination"] ?? {}), `pagination of ${operationId}`).toBe("Pagination");
  }
  expect(schemas()["Pagination"]).toMatchObject({ required: ["cursor_next", "hasMore"] });
  const paged = operations().filter(({ parameters = [] }) => parameters.some(({ name }) => name === "limit"));
  expect(paged.length).toBeGreaterThan(10);
  for (const { operationId, parameters } of paged) {
    expect(parameters, `of ${operationId}`).toContainEqual(expect.objectContaining({ name: "cursor" }));
  }
  expect(source).not.toMatch(/"name":"cursor"[^}]*empty/);
});

test("words that a description lists are an enum", () => {
  const listed = placesOf((schema) => {
    const { description = "", enum: values, type } = schema as Schema & { description?: string };
    return type === "string" && values === undefined && /^[a-z_]+(, [a-z_]+)* or [a-z_]+$/.test(description);
  });
  expect(listed).toEqual([]);
});

test("every operation has a summary, one tag, and an id in camel case", () => {
  for (const operation of [...operations(), ...Object.values(document.webhooks).flatMap(Object.values<Operation>)]) {
    expect(operation).toMatchObject({ summary: expect.stringMatching(/^[A-Z]/) });
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(operation.tags).toHaveLength(1);
  }
});
