import { Type } from "typebox";
import { closed, languageTag, ownObject, reference } from "../fields.ts";

const orderSeed = Type.Integer({
  minimum: 1,
  maximum: 0x7fff_ffff,
  description: "of the orders that were shown before; by default one is given",
});

export const fieldValues = ownObject("values of hidden fields by their names", 10_240);

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
    Type.String({ minLength: 1, maxLength: 200, description: "the link's; without one the survey's" }),
  ),
  language: Type.Optional(languageTag),
  metadata: Type.Optional(ownObject("yours to fill")),
  orderSeed: Type.Optional(orderSeed),
  fields: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "parameters of the link's address; those that are no field, or do not fit it, are ignored",
    }),
  ),
});
