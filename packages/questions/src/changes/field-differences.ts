import { isSameJson } from "@canvass/values";
import { affectsIf, affectsResults, type ChangeClass } from "../change-class.ts";
import type { HiddenField } from "../fields/hidden-field.ts";
import type { ChangeKind, Difference } from "./change.ts";
import { quoted } from "./wording.ts";

type Fields = readonly HiddenField[];

/** A field is known by its name. `responses` is the highest number of answers to a question. */
export function fieldDifferences(base: Fields = [], draft: Fields = [], responses = 0): Difference[] {
  const published = new Map(base.map((field) => [field.name, field]));
  const present = new Map(draft.map((field) => [field.name, field]));
  const buildDifference = (
    kind: ChangeKind,
    worst: ChangeClass,
    name: string,
    before: unknown,
    after: unknown,
    verb: string,
  ) => {
    const message = `${verb} the field ${quoted(name)}.`;
    const affectedResponses = worst === "safe" ? 0 : responses;
    return {
      kind,
      class: worst,
      elementId: null,
      affectedResponses,
      subject: `fields.${name}`,
      before,
      after,
      message,
    };
  };
  const kept = base.filter(({ name }) => present.has(name)).map(({ name }) => name);
  const order = draft.filter(({ name }) => published.has(name)).map(({ name }) => name);
  return [
    ...draft.flatMap((field) => {
      const old = published.get(field.name);
      if (!old) return buildDifference("field_added", "safe", field.name, null, field, "Adds");
      if (isSameJson(old, field)) return [];
      return buildDifference("field_changed", affectsIf(old.type !== field.type), field.name, old, field, "Changes");
    }),
    ...base
      .filter(({ name }) => !present.has(name))
      .map((field) => buildDifference("field_removed", affectsResults, field.name, field, null, "Removes")),
    ...(isSameJson(kept, order)
      ? []
      : [
          {
            ...buildDifference("fields_reordered", "safe", "", kept, order, ""),
            message: "Reorders the fields.",
          },
        ]),
  ];
}
