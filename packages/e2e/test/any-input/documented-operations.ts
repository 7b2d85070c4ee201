import { shortPath } from "../../../../gateway/test/fuzz/resolve-references.ts";
import pLimit from "p-limit";
import type { Json } from "../../src/index.ts";
import { demo, document, type Prepared } from "./prepared-system.ts";

/** Two at once: while one operation prepares, the other sends requests. */
export const operationsAtOnce = pLimit(2);

export interface DocumentedOperation {
  method: string;
  path: string;
  /** The keys that lead to it in the OpenAPI document. */
  place: string[];
  /** From the OpenAPI document. */
  operation: Json;
}

export function documentedOperations(): DocumentedOperation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: shortPath(path),
      place: ["paths", path, method],
      operation,
    })),
  );
}

/** Fills in the path's parameters: the id of the path's resource, or else the id of that name. */
export const addressOf = (path: string, ids: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[`${resourceOf(path)} ${name}`] ?? ids[name]!);

const resourceOf = (path: string) =>
  ["image-choice", "links", "crosstabs", "series"].find((part) => path.split("/").includes(part)) ?? path.split("/")[1];

let addresses = 0;

/** Examples of an operation's body by name, with prepared ids filled in. */
export function exampleBodies({ requestBody }: Json, prepared: Prepared): [string, Json][] {
  const examples = Object.entries<Json>(requestBody?.content["application/json"]?.examples ?? {});
  return examples.map(([name, { value }]) => [name, filled(value, prepared)]);
}

/** Replaces the example's ids with those of the prepared survey, and its webhook address with a permitted one. */
function filled(body: Json, { survey, ids, questionId, elementIds }: Prepared): Json {
  const lists = { elementIds, choiceIds: survey.choices };
  const { elementId: _, ...known } = ids;
  // Operations run concurrently, and two webhooks must not share an address.
  const url = `${demo.receiver.url}/filled/${(addresses += 1)}`;
  const given: Record<string, Json> = { ...known, ...lists, questionId, url };
  const elements: Record<string, string> = { rating: survey.ratingId, short_text: survey.textId };
  return JSON.parse(JSON.stringify(body), (key, value: Json) => {
    if (key in given) return given[key];
    if (value?.elementId === undefined) return value;
    const chosen = /^[a-z0-9]{16}$/.test(value.value) ? survey.choices[0] : value.value;
    return { ...value, elementId: elements[value.type] ?? survey.choiceId, value: chosen };
  });
}
