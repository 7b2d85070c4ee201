import type { MessageInitShape } from "@bufbuild/protobuf";
import { requireBatchSize } from "@canvass/inputs";
import type { BatchFindContactsRequest, BatchFindContactsResponseSchema } from "@canvass/proto/distribution-contacts";
import type { DistributionContext } from "../../context.ts";
import { findContactValues } from "../../storage/contacts/find-contacts.ts";

export async function batchFindContacts(
  { database }: DistributionContext,
  { contacts, fields }: BatchFindContactsRequest,
): Promise<MessageInitShape<typeof BatchFindContactsResponseSchema>> {
  requireBatchSize("contacts", contacts);
  const found = await findContactValues(database.sql, contacts, fields);
  return {
    contacts: found.map(({ status, values }) => (status === null ? { found: false } : { found: true, status, values })),
  };
}
