import * as inputs from "@canvass/inputs";
import { allScopes } from "@canvass/access";
import { expect, test } from "vitest";
import { documentFrame, elementFields, pageFrame } from "./document/document-schema.ts";
import * as questions from "./index.ts";

type Json = Record<string, unknown>;

/** All inputs that `checkShape` judges, by name. */
const schemas: Record<string, unknown> = {
  ...Object.fromEntries(Object.entries({ ...inputs, ...questions }).filter(([name]) => /(Body|Query)$/.test(name))),
  createTokenBody: inputs.createTokenBody(allScopes),
  updateTokenBody: inputs.updateTokenBody(allScopes),
  elementSettingsSchema: questions.elementSettingsSchema,
  documentFrame,
  pageFrame,
  ...elementFields,
  ...Object.fromEntries(questions.questionTypes.map(({ typeName, settings }) => [typeName, settings])),
  ...Object.fromEntries(questions.placedSettings.map(({ group, key, setting }) => [`${group}.${key}`, setting.schema])),
  ...Object.fromEntries(Object.entries(questions.elementEdits).map(([name, { input }]) => [name, input])),
};

/** Returns what is judged as one value. */
function leavesOf(schema: unknown, at: string, seen = new Set<unknown>()): [at: string, schema: Json][] {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return [];
  seen.add(schema);
  const judge = (schema as Json)["x-judged-by"];
  if (judge !== undefined && judge !== "existence") return [];
  const { type, properties = {}, patternProperties = {}, items, anyOf = [] } = schema as Json;
  const below = { ...(properties as Json), ...(patternProperties as Json), items };
  const isLeaf =
    typeof type === "string" ? type !== "object" && type !== "array" : "enum" in schema || "anyOf" in schema;
  return [
    ...(isLeaf ? [[at, schema as Json] as [string, Json]] : []),
    ...Object.entries(below).flatMap(([key, each]) => leavesOf(each, `${at}.${key}`, seen)),
    ...(anyOf as Json[]).flatMap((each, index) => leavesOf(each, `${at}.${index}`, seen)),
  ];
}

const judged = Object.entries(schemas).flatMap(([name, schema]) => leavesOf(schema, name));
const messageOf = (schema: Json): string | undefined =>
  [{ unfit: true }, [[]], "\u0000", 0.5, true]
    .flatMap((value) => inputs.shapeViolations(schema, value))
    .find(({ path, message }) => path === "" && message.startsWith("must be "))?.message;

test("every violation reads as a sentence, and tells the values of a word", () => {
  const begin = /^must be (a|an|the|one of|one line of|text|true|null|JSON|https|`cursor_next` of|\d+)\b/;
  const messages = judged.flatMap(([at, schema]) => {
    const message = messageOf(schema);
    // The gateway judges times in queries by itself.
    return message === undefined || schema["format"] === "date-time" ? [] : [{ at, message, words: wordsOf(schema) }];
  });
  expect(messages.length).toBeGreaterThan(150);
  expect(
    messages.filter(
      ({ message, words }) => !begin.test(message) && !words.some((word) => message.startsWith(`must be ${word}`)),
    ),
  ).toEqual([]);
  const few = messages.filter(({ words }) => words.length <= 10);
  expect(few.filter(({ message, words }) => !words.every((word) => message.includes(word)))).toEqual([]);
});

const wordsOf = (schema: Json): string[] => ((schema["enum"] ?? []) as unknown[]).map(String);
