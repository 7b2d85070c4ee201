import { knownVariables } from "@canvass/questions";
import { Type } from "typebox";
import { id, named, nullable, words } from "../schemas.ts";

/** Null if the base is empty. */
export const percent = (description: string) => nullable<number>("number", { description });

const entryFields = {
  id: Type.String(),
  label: Type.String(),
  code: Type.Optional(Type.String()),
};

export const entrySchema = named("TableEntry", entryFields);

export const variableSchema = (title: string) =>
  named(title, {
    elementId: Type.Optional(id),
    name: Type.Optional(Type.String()),
    field: Type.Optional(Type.String({ description: "a hidden field" })),
    known: Type.Optional(words(knownVariables)),
    text: Type.String(),
    part: Type.Optional(Type.Array(entrySchema)),
    item: Type.Optional(entrySchema),
    isMultiple: Type.Boolean({ description: "whether a respondent may be in several categories" }),
  });

export const basisFields = {
  surveyId: id,
  basis: words(["answers"], { description: "computed over the answers of the respondents that match" }),
};

export const matched = Type.Integer({ description: "respondents that the filters select, without tests" });

/** A category: an entry, with bounds if it groups numbers. */
export const categoryFields = {
  ...entryFields,
  from: Type.Optional(
    nullable<number>("number", { description: "for groups of numbers: the lower bound, inclusive; null: none" }),
  ),
  to: Type.Optional(nullable<number>("number", { description: "the upper bound, exclusive; null: none" })),
};
