import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { IssuedLinkSchema } from "@canvass/proto/distribution";
import type { StoredLink } from "../storage/issued-links.ts";

export function issuedLinkMessage(
  { linkId, contactId, code, createdAt }: StoredLink,
  usedAt: string,
): MessageInitShape<typeof IssuedLinkSchema> {
  return { linkId, contactId: contactId ?? "", code, usedAt, createdAt: timestampFromDate(createdAt) };
}
