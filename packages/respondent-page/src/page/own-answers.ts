import { pipedValues, type ValueOf } from "@canvass/questions";
import { storedShape } from "../mapping/stored-shape.ts";
import type { Link, OwnState } from "../saving/link-api.ts";
import type { Save } from "../saving/save-queue.ts";

/** Answers, by answer key, that the server has or will get from the queue. */
export const ownAnswers = (own: OwnState | undefined, saves: readonly Save[]): ReadonlyMap<string, unknown> =>
  new Map([...storedAnswers(own), ...saves.flatMap(({ body }) => body.responses.map(keyed))]);

const storedAnswers = (own: OwnState | undefined) =>
  (own?.answers ?? []).map(({ elementId, itemId, value }): [string, unknown] => [
    itemId === null ? elementId : `${elementId}:${itemId}`,
    value,
  ]);

const keyed = ({ elementId, value }: { elementId: string; value: unknown }): [string, unknown] => [elementId, value];

/** Values of placeholders in the texts at the end. */
export function valuesOf({ contact }: Link, own: OwnState, language: string): ValueOf {
  const respondent = { language, fields: own.fields, firstName: contact?.firstName };
  return pipedValues(storedShape(own.definition), ownAnswers(own, []), respondent)({ page: null, itemId: null });
}
