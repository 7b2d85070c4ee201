import type { AttributeValue, ContactStatus, ContactTextField } from "@canvass/inputs";

/** Fields that callers set. An unknown text is null. */
export type ContactFields = Record<ContactTextField, string | null> & {
  attributes: Record<string, AttributeValue>;
  status: ContactStatus;
};

export interface ContactRef {
  workspaceId: string;
  contactId: string;
}

export interface Contact extends ContactRef, ContactFields {
  /** Increases with every change; the entity tag contains it. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
  unsubscribedAt: Date | null;
  anonymizedAt: Date | null;
}

export const emptyFields: ContactFields = {
  email: null,
  phone: null,
  firstName: null,
  lastName: null,
  externalId: null,
  language: null,
  attributes: {},
  status: "active",
};

export function newContact(ref: ContactRef, fields: ContactFields, at: Date): Contact {
  const unsubscribedAt = fields.status === "unsubscribed" ? at : null;
  return { ...ref, ...fields, revision: 1, createdAt: at, updatedAt: at, unsubscribedAt, anonymizedAt: null };
}

export function withChanges(contact: Contact, fields: ContactFields, at: Date): Contact {
  const { status, revision, unsubscribedAt } = contact;
  return {
    ...contact,
    ...fields,
    revision: revision + 1,
    updatedAt: at,
    unsubscribedAt: fields.status === "unsubscribed" && status !== "unsubscribed" ? at : unsubscribedAt,
  };
}

export function anonymized(contact: Contact, at: Date): Contact {
  const { workspaceId, contactId, createdAt, revision } = contact;
  const fields = { ...emptyFields, status: "anonymized" as const };
  const times = { createdAt, updatedAt: at, unsubscribedAt: null, anonymizedAt: at };
  return { workspaceId, contactId, ...fields, revision: revision + 1, ...times };
}
