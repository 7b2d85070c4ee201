import { expect, test } from "vitest";
import { shareProperties } from "./share-properties.ts";

const text = { type: "string" };
const variant = (type: string, properties: object = {}) => ({
  type: "object",
  properties: { type: { type: "string", enum: [type] }, ...properties },
  required: ["type"],
  additionalProperties: false,
});

test("equal properties of variants are written once, different ones remain", () => {
  const [rating, nps] = [
    variant("rating", { text, name: text, steps: text }),
    variant("nps", { text, name: { type: "null" } }),
  ];
  expect(shareProperties({ items: { oneOf: [rating, nps], description: "questions" } })).toEqual({
    items: {
      description: "questions",
      type: "object",
      properties: { text },
      oneOf: [
        { type: "object", properties: { type: rating.properties.type, name: text, steps: text }, required: ["type"] },
        { type: "object", properties: { type: nps.properties.type, name: { type: "null" } }, required: ["type"] },
      ],
    },
  });
});

test("alternatives that only other properties distinguish are unchanged", () => {
  const { required: _, ...optional } = variant("nps", { text });
  for (const other of [
    { type: "string" },
    { type: "object", properties: { text } },
    optional,
    variant("rating", { text }),
  ]) {
    const schema = { oneOf: [variant("rating", { text }), other] };
    expect(shareProperties(schema)).toEqual(schema);
  }
});
