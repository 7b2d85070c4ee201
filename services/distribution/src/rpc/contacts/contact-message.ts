import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { contactTextNames } from "@canvass/inputs";
import type { ContactSchema, ErasureReceiptSchema } from "@canvass/proto/distribution-contacts";
import type { Contact } from "../../domain/contacts/contact.ts";
import type { Erasure } from "../../storage/contacts/contact-erasures.ts";
import { contactTag } from "./require-contact.ts";

export function contactMessage(
  contact: Contact,
  erasures: readonly Erasure[] = [],
): MessageInitShape<typeof ContactSchema> {
  const { contactId, attributes, status, createdAt, updatedAt, unsubscribedAt, anonymizedAt } = contact;
  const known = contactTextNames.flatMap((name) => (contact[name] === null ? [] : [[name, contact[name]]]));
  return {
    contactId,
    ...(Object.fromEntries(known) as Record<string, string>),
    attributesJson: JSON.stringify(attributes),
    status,
    etag: contactTag(contact),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    ...(unsubscribedAt && { unsubscribedAt: timestampFromDate(unsubscribedAt) }),
    ...(anonymizedAt && { erasure: erasureReceipt(anonymizedAt, erasures) }),
  };
}

/** Services that store data about contacts. An erasure is complete when all have reported it. */
const services = ["distribution", "response"];

function erasureReceipt(
  anonymizedAt: Date,
  erasures: readonly Erasure[],
): MessageInitShape<typeof ErasureReceiptSchema> {
  const isComplete = services.every((service) => erasures.some((erasure) => erasure.service === service));
  const completedAt = Math.max(...erasures.map(({ erasedAt }) => erasedAt.getTime()));
  return {
    requestedAt: timestampFromDate(anonymizedAt),
    ...(isComplete && { completedAt: timestampFromDate(new Date(completedAt)) }),
    services: erasures.map(({ service, erased, erasedAt }) => ({ service, erased, at: timestampFromDate(erasedAt) })),
  };
}
