import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerExample } from "../src/plugins/openapi/answer-example.ts";
import { startEdge, type Edge } from "./start-edge.ts";

interface Content {
  schema: { format?: string };
  example?: unknown;
}

interface Operation {
  operationId: string;
  responses: Record<string, { headers?: object; content?: Record<string, Content> }>;
}

let edge: Edge;
let document: { paths: Record<string, Record<string, Operation>>; components: object };
beforeAll(async () => {
  edge = await startEdge();
  document = (await edge.call("/openapi.json", { token: null })).body as typeof document;
});
afterAll(() => edge[Symbol.asyncDispose]());

const successes = () =>
  Object.values(document.paths)
    .flatMap(Object.values<Operation>)
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status]) => status.startsWith("2"))
        .flatMap(([, { headers = {}, content = {} }]) =>
          Object.values(content).map((body) => ({ operationId, headers, ...body })),
        ),
    );

test("every answer but a file has an example that its schema allows", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addSchema({ $id: "document", components: document.components });
  const shown = successes().filter(({ schema }) => schema.format !== "binary");
  expect(shown.length).toBeGreaterThan(100);
  const wrong = shown.flatMap(({ operationId, schema, example }) => {
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as object;
    const validate = ajv.compile(absolute);
    return validate(example) ? [] : [`${operationId}: ${ajv.errorsText(validate.errors)}`];
  });
  expect(wrong).toEqual([]);
});

test("an example has ids as real responses have, and a tag only where the operation has one", () => {
  const text = JSON.stringify(successes().map(({ example }) => example));
  for (const [, value] of text.matchAll(/"(?:(?!externalId)\w+Id|\w+_id|id)":"([^"]*)"/g)) {
    expect(value).toMatch(/^[a-z0-9]{16}$|^[0-9a-f-]{23}$/);
  }
  for (const { operationId, headers, example } of successes()) {
    const { meta } = (example ?? {}) as { meta?: object };
    if (meta) expect("etag" in meta, `the tag of ${operationId}`).toBe("ETag" in headers);
  }
});

test("a property without an example is reported by name", () => {
  const schemas = { Thing: { type: "object", properties: { colour: { type: "string" } } } };
  expect(() => answerExample({ $ref: "#/components/schemas/Thing" }, "getThing", schemas)).toThrow(
    "Thing has no example of colour",
  );
});
