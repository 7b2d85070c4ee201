import { Type, type Static, type TSchema } from "typebox";
import { closed, languageTag, limitedText, visibleText, word } from "../fields.ts";

export const contactStatuses = ["active", "unsubscribed", "bounced", "anonymized"] as const;
export type ContactStatus = (typeof contactStatuses)[number];

export const settableContactStatuses = ["active", "unsubscribed", "bounced"] as const;

export const mostContactAttributes = 150;
export const longestAttributeName = 100;
export const longestAttributeText = 1_000;
const attributesKib = 16;

export type AttributeValue = string | number | boolean | null;

/** In a request null removes the attribute; responses never have null. */
export const attributeValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
  title: "AttributeValue",
});

const attributes = Type.Unsafe<Record<string, AttributeValue>>({
  type: "object",
  additionalProperties: attributeValue,
  maxProperties: mostContactAttributes,
  "x-max-json-bytes": attributesKib * 1_024,
  description:
    `your own fields: at most ${mostContactAttributes} names of ${longestAttributeName} characters with texts of ` +
    `${longestAttributeText} characters, numbers or booleans; null removes a name; together at most ${attributesKib} KiB`,
});

const phonePattern = "^\\+[1-9][0-9]{6,14}$";

const email = Type.String({
  maxLength: 254,
  pattern: "^[^\\s@]+@[^\\s@]+$",
  description: "an e-mail address; unique in the workspace, ignoring case",
  "x-expected": "an e-mail address",
});

const phone = Type.String({
  pattern: phonePattern,
  description: "E.164",
  "x-expected": "a phone number in E.164 such as +4915112345678",
});

export const contactTextFields = {
  email,
  phone,
  firstName: limitedText(100),
  lastName: limitedText(100),
  externalId: visibleText(200, { description: "your own id of the person; unique in the workspace" }),
  language: languageTag,
} as const satisfies Record<string, TSchema>;

export type ContactTextField = keyof typeof contactTextFields;
export const contactTextNames = Object.keys(contactTextFields) as ContactTextField[];

export const attributePrefix = "attributes.";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

const fields = {
  email: orNull(email),
  phone: orNull(phone),
  firstName: orNull(contactTextFields.firstName),
  lastName: orNull(contactTextFields.lastName),
  externalId: orNull(contactTextFields.externalId),
  language: orNull(languageTag),
  attributes: Type.Optional(attributes),
  status: Type.Optional(word(settableContactStatuses, { description: settableContactStatuses.join(", ") })),
};

export const createContactBody = closed(fields);

/** Null clears a field. */
export const updateContactBody = closed(fields, { minProperties: 1 });

export type ContactInput = Static<typeof createContactBody>;

export const mostDeletedContacts = 500;

export const deleteContactsBody = closed({
  ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: mostDeletedContacts }),
});

export const anonymizeContactBody = closed({
  confirm: Type.Unsafe<true>({
    type: "boolean",
    enum: [true],
    description: "must be true, because an erasure cannot be undone",
    "x-expected": "true",
  }),
});
