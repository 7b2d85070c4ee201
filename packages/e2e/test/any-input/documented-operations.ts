import pLimit from "p-limit";
import type { Json } from "../../src/index.ts";
import { demo, document, type Prepared } from "./prepared-system.ts";

/** While one is prepared for, requests to another are under way. */
export const operationsAtOnce = pLimit(2);

export interface DocumentedOperation {
  method: string;
  path: string;
  /** As the document has it. */
  operation: Json;
}

export function documentedOperations(): DocumentedOperation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** The path with a text for each of its parameters: that for its resource, or any of the name. */
export const addressOf = (path: string, ids: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[`${resourceOf(path)} ${name}`] ?? ids[name]!);

const resourceOf = (path: string) =>
  ["image-choice", "links"].find((part) => path.split("/").includes(part)) ?? path.split("/")[1];

let addresses = 0;

/** The examples of an operation's body by name, each filled in with what was prepared. */
export function exampleBodies({ requestBody }: Json, prepared: Prepared): [string, Json][] {
  const examples = Object.entries<Json>(requestBody?.content["application/json"]?.examples ?? {});
  return examples.map(([name, { value }]) => [name, filled(value, prepared)]);
}

/** The body with ids of the prepared survey and a permitted webhook address instead of the example's. */
function filled(body: Json, { survey, ids, questionId, elementIds }: Prepared): Json {
  const lists = { elementIds, choiceIds: survey.choices };
  const { elementId: _, ...known } = ids;
  // Operations at once may not give two webhooks one address.
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
