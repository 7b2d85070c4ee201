import { attributePrefix, type ContactTextField } from "@canvass/inputs";
import type { ExportOptions } from "./export-options.ts";
import type { RespondentColumn } from "./respondent-columns.ts";

const texts: Record<ContactTextField, string> = {
  email: "Email",
  phone: "Phone",
  firstName: "First name",
  lastName: "Last name",
  externalId: "External id",
  language: "Language",
};

/** One text column per requested contact field, because an attribute's type may differ between contacts. */
export function contactColumns({ contactFields }: Pick<ExportOptions, "contactFields">): RespondentColumn[] {
  return (contactFields ?? []).map((field, index) => ({
    id: `contact.${field}`,
    text: `Contact: ${nameOf(field)}`,
    kind: "text",
    measure: "nominal",
    values: [],
    read: ({ contactValues }) => contactValues[index] || null,
  }));
}

const nameOf = (field: string): string =>
  field.startsWith(attributePrefix) ? field.slice(attributePrefix.length) : texts[field as ContactTextField];
