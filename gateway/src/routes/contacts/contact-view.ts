import { contactStatuses, contactTextNames, mostContactAttributes, type ContactTextField } from "@canvass/inputs";
import type { Contact, ErasureReceipt } from "@canvass/proto/distribution-contacts";
import { Type, type TSchema } from "typebox";
import { contactRemains, remainsSchema } from "../responses/remains.ts";
import { dateTime, id, idParam, named, nullableDateTime, nullableText } from "../schemas.ts";
import { isoTime, isoTimeOrNull } from "../../plugins/responses/timestamps.ts";

export const contactParams = Type.Object({ contactId: idParam("id of a contact") });

export const contactTexts = {
  email: nullableText,
  phone: { ...nullableText, description: "E.164" },
  firstName: nullableText,
  lastName: nullableText,
  externalId: { ...nullableText, description: "your own id of the person" },
  language: { ...nullableText, description: "language tag (BCP 47)" },
} satisfies Record<ContactTextField, TSchema>;

export const contactAttributes = Type.Unsafe<object>({
  type: "object",
  additionalProperties: { "x-shown-as": "AttributeValue" },
  maxProperties: mostContactAttributes,
});

const erasedSchema = named("ErasedInService", {
  service: Type.String(),
  erased: Type.Unsafe<Record<string, number>>({
    type: "object",
    additionalProperties: { type: "integer" },
    description: "counts by kind",
  }),
  at: dateTime,
});

/** The receipt of an anonymization; null for other contacts. */
const receiptSchema = named("ContactErasure", {
  status: Type.String({ enum: ["processing", "completed"], description: "completed: every service has confirmed it" }),
  requestedAt: dateTime,
  completedAt: nullableDateTime,
  services: Type.Array(erasedSchema),
  remains: remainsSchema,
});

export const contactSchema = named("Contact", {
  id,
  ...contactTexts,
  attributes: contactAttributes,
  status: Type.String({ enum: [...contactStatuses] }),
  createdAt: dateTime,
  updatedAt: dateTime,
  unsubscribedAt: { ...nullableDateTime, description: "date-time (ISO 8601) when it last unsubscribed" },
  erasure: Type.Unsafe<object | null>({ ...receiptSchema, type: ["object", "null"] }),
});

export function contactView(contact: Contact) {
  const { contactId, attributesJson, status, createdAt, updatedAt, unsubscribedAt, erasure } = contact;
  return {
    id: contactId,
    ...Object.fromEntries(contactTextNames.map((name) => [name, contact[name] ?? null])),
    attributes: JSON.parse(attributesJson) as object,
    status,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    unsubscribedAt: isoTimeOrNull(unsubscribedAt),
    erasure: erasure ? receiptView(erasure) : null,
  };
}

function receiptView({ requestedAt, completedAt, services }: ErasureReceipt) {
  return {
    status: completedAt ? "completed" : "processing",
    requestedAt: isoTime(requestedAt),
    completedAt: isoTimeOrNull(completedAt),
    services: services.map(({ service, erased, at }) => ({ service, erased, at: isoTime(at) })),
    remains: contactRemains,
  };
}
