import type { MessageInitShape } from "@bufbuild/protobuf";
import { requireBatchSize } from "@canvass/inputs";
import type { BatchFindContactsRequest, BatchFindContactsResponseSchema } from "@canvass/proto/distribution-contacts";
import type { DistributionContext } from "../../context.ts";
import { findStatuses } from "../../storage/contacts/find-contacts.ts";

/** For other services. */
export async function batchFindContacts(
  { database }: DistributionContext,
  { contacts }: BatchFindContactsRequest,
): Promise<MessageInitShape<typeof BatchFindContactsResponseSchema>> {
  requireBatchSize("contacts", contacts);
  const statuses = await findStatuses(database.sql, contacts);
  return { contacts: statuses.map((status) => ({ found: status !== undefined, status: status ?? "" })) };
}
