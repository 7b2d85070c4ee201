import { typeNames } from "../catalogue.ts";
import { Type, type Static } from "typebox";
import type { Condition } from "../conditions/condition.ts";
import { fieldFormats, loopSchema, type Constraint, type SkipRule } from "../definition.ts";
import { allMarkFields, markFields } from "../entry-marks.ts";
import { choicesFromSchema } from "../choices-from.ts";
import { hiddenFieldSchema } from "../fields/hidden-field.ts";

const id = Type.String();
const text = Type.Union([Type.String(), Type.Null()]);
/** Serialized without a schema: a serializer would have to distinguish nested conditions at run time. */
const shown = <Value extends object>(name: string) =>
  Type.Unsafe<Value>({ type: "object", additionalProperties: true, "x-shown-as": name });
const closed = { additionalProperties: false };

const publicChoice = Type.Object(
  {
    id,
    text: Type.String(),
    ...allMarkFields,
    imageUrl: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    format: Type.Optional(Type.Enum(fieldFormats, { description: "of a form's field; absent: text" })),
    required: Type.Optional(Type.Boolean({ description: "of a form's field; absent: false" })),
    showIf: Type.Optional(shown<Condition>("Condition")),
  },
  { ...closed, title: "PublicChoice" },
);

const publicColumn = Type.Object(
  { id, text: Type.String(), ...markFields(["pinned"]), options: Type.Optional(Type.Array(publicChoice)) },
  { ...closed, title: "PublicColumn" },
);

export const publicElement = Type.Object(
  {
    id,
    type: Type.Integer(),
    typeName: Type.String({ title: "QuestionTypeName", enum: [...typeNames] }),
    text,
    helpText: text,
    required: Type.Boolean(),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: "All settings of the type, with defaults filled in.",
    }),
    validation: Type.Object({ required: Type.Boolean() }, { ...closed, title: "PublicValidation" }),
    choices: Type.Optional(Type.Array(publicChoice)),
    rows: Type.Optional(Type.Array(publicChoice)),
    columns: Type.Optional(Type.Array(publicColumn)),
    showIf: Type.Optional(shown<Condition>("Condition")),
    requiredIf: Type.Optional(shown<Condition>("Condition")),
    constraints: Type.Optional(Type.Array(shown<Constraint>("Constraint"))),
    defaultValue: Type.Optional(Type.Unknown({ description: "the answer that is shown at first" })),
    choicesFrom: Type.Optional(choicesFromSchema),
  },
  { ...closed, title: "PublicElement", "x-shown-as": "PublicElement" },
);

const publicPage = Type.Object(
  {
    id,
    title: text,
    loop: Type.Union([loopSchema, Type.Null()]),
    showIf: Type.Optional(shown<Condition>("Condition")),
    skipLogic: Type.Array(shown<SkipRule>("SkipRule")),
    shuffle: Type.Optional(Type.Boolean({ description: "the page's elements are shuffled for each respondent" })),
    block: Type.Optional(Type.String({ description: "pages with the same block are shuffled for each respondent" })),
    elements: Type.Array(publicElement),
  },
  { ...closed, title: "PublicPage" },
);

export const publicDefinitionSchema = Type.Object(
  {
    pages: Type.Array(publicPage),
    fields: Type.Optional(
      Type.Array(hiddenFieldSchema, { description: "hidden fields of the survey; absent if it has none" }),
    ),
  },
  { ...closed, title: "PublicDefinition" },
);

export type PublicChoice = Static<typeof publicChoice>;
export type PublicColumn = Static<typeof publicColumn>;
export type PublicElement = Static<typeof publicElement>;
export type PublicPage = Static<typeof publicPage>;
export type PublicDefinition = Static<typeof publicDefinitionSchema>;
