import { Type, type Static } from "typebox";
import { loopSchema, skipRuleSchema } from "../definition.ts";

const id = Type.String();
const text = Type.Union([Type.String(), Type.Null()]);
const closed = { additionalProperties: false };

const publicChoice = Type.Object(
  { id, text: Type.String(), imageUrl: Type.Optional(Type.Union([Type.String(), Type.Null()])) },
  closed,
);

const publicColumn = Type.Object({ id, text: Type.String(), options: Type.Optional(Type.Array(publicChoice)) }, closed);

const publicElement = Type.Object(
  {
    id,
    type: Type.Integer(),
    typeName: Type.String(),
    text,
    helpText: text,
    required: Type.Boolean(),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: "Every setting of the type, with its default where none was set.",
    }),
    validation: Type.Object({ required: Type.Boolean() }, closed),
    choices: Type.Optional(Type.Array(publicChoice)),
    rows: Type.Optional(Type.Array(publicChoice)),
    columns: Type.Optional(Type.Array(publicColumn)),
  },
  closed,
);

const publicPage = Type.Object(
  {
    id,
    title: text,
    loop: Type.Union([loopSchema, Type.Null()]),
    skipLogic: Type.Array(skipRuleSchema),
    elements: Type.Array(publicElement),
  },
  closed,
);

export const publicDefinitionSchema = Type.Object({ pages: Type.Array(publicPage) }, closed);

export type PublicChoice = Static<typeof publicChoice>;
export type PublicColumn = Static<typeof publicColumn>;
export type PublicElement = Static<typeof publicElement>;
export type PublicPage = Static<typeof publicPage>;
export type PublicDefinition = Static<typeof publicDefinitionSchema>;
