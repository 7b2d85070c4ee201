import { Type } from "typebox";
import { closed, languageTag, ownObject, reference } from "../fields.ts";

const orderSeed = Type.Integer({
  minimum: 1,
  maximum: 0x7fff_ffff,
  description: "seed of the shuffled orders that the respondent saw before; by default a new one",
  "x-expected": "a whole number from 1 to 2147483647",
});

export const fieldValues = ownObject("values of hidden fields by their names", { kib: 10 });

export const startRespondentBody = closed({
  distributorId: Type.Optional(reference("a distributor", "the link it came by")),
  contactId: Type.Optional(reference("a contact", "the contact it is")),
  language: Type.Optional(languageTag),
  metadata: Type.Optional(ownObject("yours to fill")),
  orderSeed: Type.Optional(orderSeed),
  fields: Type.Optional(fieldValues),
});

export const startLinkRespondentBody = closed({
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "the password of the link; if it has none, that of the survey",
    }),
  ),
  language: Type.Optional(languageTag),
  metadata: Type.Optional(ownObject("yours to fill")),
  orderSeed: Type.Optional(orderSeed),
  fields: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "query parameters of the link; unknown and invalid ones are ignored",
    }),
  ),
});
