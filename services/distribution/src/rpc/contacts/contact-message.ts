import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { contactTextNames } from "@canvass/inputs";
import type { ContactSchema } from "@canvass/proto/distribution-contacts";
import type { Contact } from "../../domain/contacts/contact.ts";
import type { Erasure } from "../../storage/contacts/contact-erasures.ts";
import { erasureReceipt } from "./erasure-receipt.ts";
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
