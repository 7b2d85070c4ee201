import type { IssuedLink } from "@canvass/proto/distribution";
import { Type } from "typebox";
import { dateTime, id, named, nullable, nullableText } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";

export const issuedLinkSchema = named("IssuedLink", {
  id,
  contactId: nullable<string>("string", { description: "of a personal link" }),
  code: Type.String(),
  url: Type.String({ format: "uri", description: "URL of the page for this person" }),
  usedAt: {
    ...nullableText,
    description: "when it was used to start: a date-time, or a date with partial or full anonymity; null: not used",
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
