import { Type, type TSchema } from "typebox";

type Entry = { id: string; text: string };

/** The id of an entry, each with its text. Retired ones stay, since answers name them. */
export const entryIdSchema = (entries: readonly Entry[] = []): TSchema =>
  Type.Union(entries.map(({ id, text }) => Type.Literal(id, { title: text })));

/** Values by the ids of entries, at least one. */
export const valuesByEntrySchema = (entries: readonly Entry[] | undefined, value: TSchema): TSchema =>
  Type.Unsafe<object>({
    type: "object",
    propertyNames: entryIdSchema(entries),
    additionalProperties: value,
    minProperties: 1,
  });
