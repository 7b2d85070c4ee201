import { buildQuestions, questionTypes, questionTypeOf } from "@canvass/questions";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pascalCase } from "../src/plugins/openapi/pascal-case.ts";
import { startEdge, type Edge } from "./start-edge.ts";

let edge: Edge;
let errorsOf: (name: string, value: unknown) => string;
beforeAll(async () => {
  edge = await startEdge();
  const { body } = await edge.call("/openapi.json", { token: null });
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addSchema({ $id: "document", components: (body as { components: object }).components });
  errorsOf = (name, value) => {
    const validate = ajv.getSchema(`document#/components/schemas/${name}`)!;
    return validate(value) ? "" : ajv.errorsText(validate.errors);
  };
});
afterAll(() => edge[Symbol.asyncDispose]());

const numbers = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const tapes = fc.array(numbers, { minLength: 1, maxLength: 40 });
const file = { fileId: "01h8x3k9q2m4a7zp", name: "a.png", size: 1, mimeType: "image/png" };

test.each(questionTypes.map((type) => [pascalCase(type.typeName), type] as const))(
  "elements, and any sample submitted and listed, fit the document's schemas of %s",
  (name, type) => {
    let last = 0;
    const built = buildQuestions([{ type: type.typeName, text: "What?" }], () => String(++last).padStart(16, "0"));
    if ("violations" in built) throw new Error(JSON.stringify(built.violations));
    const { question } = built.questions[0]!;
    expect(questionTypeOf(question)).toBe(type);
    expect(errorsOf(`${name}Settings`, question.typeSettings)).toBe("");
    if (!type.answerable) return;
    fc.assert(
      fc.property(tapes, (tape) => {
        let at = 0;
        const value = type.fileIds ? [file] : type.sample(question, () => tape[at++ % tape.length]!);
        const submitted = { elementId: question.elementId, type: type.typeName, value };
        expect(errorsOf("AnswerInput", submitted)).toBe("");
        expect(errorsOf("AnswerInput", { ...submitted, value: null })).toBe("");
        expect(errorsOf("OwnAnswer", { ...submitted, itemId: null })).toBe("");
        expect(errorsOf("OwnAnswer", { ...submitted, itemId: null, type: "unknown" })).not.toBe("");
      }),
      { numRuns: 50 },
    );
  },
);
