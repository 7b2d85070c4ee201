import { closed, limitedText, word } from "@canvass/inputs";
import { Type, type Static } from "typebox";
import { elementName } from "../element-names.ts";

export const fieldTypes = ["text", "number"] as const;

/** Limits: fields per survey, characters per text, bytes of one respondent's values as JSON. */
export const fieldLimits = { fields: 50, characters: 1_000, bytes: 10_240 } as const;

const about = {
  name: "its name as a query parameter of survey links: a letter, then letters, digits and _",
  default: "the value of respondents for whom none is given",
  allowAnonymous: "also stored if the survey has full anonymity; default: false",
};

/** A value known about a respondent without asking (contract 6.18). */
export const hiddenFieldSchema = Type.Object(
  {
    name: Type.String({ description: about.name }),
    type: Type.Enum(fieldTypes),
    default: Type.Optional(
      Type.Union([Type.String(), Type.Number()], { title: "HiddenFieldDefault", description: about.default }),
    ),
    allowAnonymous: Type.Optional(Type.Boolean({ description: about.allowAnonymous })),
  },
  { additionalProperties: false, title: "HiddenField" },
);

const fieldInput = closed(
  {
    name: { ...elementName, description: about.name },
    type: word(fieldTypes),
    default: Type.Optional(
      Type.Union([limitedText(fieldLimits.characters), Type.Number()], {
        title: "HiddenFieldDefaultInput",
        description: about.default,
        "x-expected": `text of at most ${fieldLimits.characters} characters or a number`,
      }),
    ),
    allowAnonymous: Type.Optional(Type.Boolean({ description: about.allowAnonymous })),
  },
  { title: "HiddenFieldInput" },
);

export const fieldsInput = Type.Array(fieldInput, { maxItems: fieldLimits.fields });

/** Replaces the fields of a survey. */
export const fieldsBody = closed({ fields: fieldsInput });

export type HiddenField = Static<typeof hiddenFieldSchema>;
export type FieldValue = string | number;
