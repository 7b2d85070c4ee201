import type { IssuedLink } from "@canvass/proto/distribution";
import { Type } from "typebox";
import { dateTime, id, named, nullable, nullableText } from "../schemas.ts";
import { isoTime } from "../timestamps.ts";

export const issuedLinkSchema = named("IssuedLink", {
  id,
  contactId: nullable<string>("string", { description: "of a personal link" }),
  code: Type.String(),
  url: Type.String({ format: "uri", description: "the page on which one person answers" }),
  usedAt: {
    ...nullableText,
    description: "when somebody started with it: a date-time, with partial or full anonymity a date; null: nobody has",
  },
  createdAt: dateTime,
});

export function issuedLinkView(link: IssuedLink, urlOf: (code: string) => string) {
  return {
    id: link.linkId,
    contactId: link.contactId || null,
    code: link.code,
    url: urlOf(link.code),
    usedAt: link.usedAt || null,
    createdAt: isoTime(link.createdAt),
  };
}
