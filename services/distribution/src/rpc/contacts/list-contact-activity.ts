import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { refuseViolations } from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import type {
  ListContactActivityRequest,
  ListContactActivityResponseSchema,
} from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../../context.ts";
import { mergeActivities } from "../../domain/contacts/activity.ts";
import { findActivityPage } from "../../storage/contacts/contact-activities.ts";
import { findSteps } from "./contact-steps.ts";
import { requireContact } from "./require-contact.ts";

/** Newest first, with the contact's steps as a respondent (contract 11.8). */
export async function listContactActivity(
  context: DistributionContext,
  request: ListContactActivityRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof ListContactActivityResponseSchema>> {
  const { database, cursors } = context;
  const ref = { workspaceId, contactId: request.contactId };
  const page = openPage<[string]>(cursors, ["contact activity", workspaceId, request.contactId], request);
  refuseViolations(page.violations);
  const { status } = await requireContact(database.sql, ref);
  const wanted = { after: page.after?.[0], limit: page.fetch };
  // Steps of an anonymized contact are hidden even before the response service has unlinked them.
  const [own, steps] = await Promise.all([
    findActivityPage(database.sql, ref, wanted),
    status === "anonymized" ? [] : findSteps(context, ref, wanted),
  ]);
  const listed = mergeActivities(
    own.map((activity) => ({ ...activity, surveyId: "", respondentId: "" })),
    steps,
  );
  const { rows, ...end } = page.cut(listed, ({ activityId }) => [activityId]);
  const activities = rows.map(({ at, changedFields, ...activity }) => ({
    ...activity,
    changedFields: [...changedFields],
    at: timestampFromDate(at),
  }));
  return { ...end, activities };
}
