import { pipedValues, type PipedRespondent, type ValueOf } from "@canvass/questions";
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

/** What texts may tell of a respondent beside its answers. */
export const knownOf = ({ contact }: Link, _own: OwnState | undefined): Omit<PipedRespondent, "language"> => ({
  ...contact,
});

/** Values of placeholders in the texts at the end. */
export function valuesOf(link: Link, own: OwnState, language: string): ValueOf {
  const values = pipedValues(storedShape(own.definition), ownAnswers(own, []), { language, ...knownOf(link, own) });
  return values({ page: null, itemId: null });
}
