import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { refuseFaults } from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import type {
  ListContactActivityRequest,
  ListContactActivityResponseSchema,
} from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../../context.ts";
import { findActivityPage } from "../../storage/contacts/contact-activities.ts";
import { requireContact } from "./require-contact.ts";

/** Newest first. Throws `contact_not_found`. */
export async function listContactActivity(
  { database: { sql }, cursors }: DistributionContext,
  request: ListContactActivityRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof ListContactActivityResponseSchema>> {
  const ref = { workspaceId, contactId: request.contactId };
  const page = openPage<[string]>(cursors, ["contact activity", workspaceId, request.contactId], request);
  refuseFaults(page.faults);
  await requireContact(sql, ref);
  const found = await findActivityPage(sql, ref, { after: page.after?.[0], limit: page.fetch });
  const { rows, ...end } = page.cut(found, ({ activityId }) => [activityId]);
  const activities = rows.map(({ at, changedFields, ...activity }) => ({
    ...activity,
    changedFields: [...changedFields],
    at: timestampFromDate(at),
  }));
  return { ...end, activities };
}
