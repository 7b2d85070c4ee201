import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate, timestampDate } from "@bufbuild/protobuf/wkt";
import { refuseViolations } from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import type {
  ListContactActivityRequest,
  ListContactActivityResponseSchema,
} from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../../context.ts";
import { mergeActivities, placeOfStep, stepOfPlace, type ListedActivity } from "../../domain/contacts/activity.ts";
import { findActivityPage } from "../../storage/contacts/contact-activities.ts";
import { requireContact } from "./require-contact.ts";
import { timeOfId } from "@canvass/values";
import type { ContactRef } from "../../domain/contacts/contact.ts";

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

const kinds = { started: "respondent_started", completed: "respondent_completed" } as const;

/** Lists what the contact did as a respondent, newest first. The response service stores it. */
async function findSteps(
  { responses }: Pick<DistributionContext, "responses">,
  contact: ContactRef,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ListedActivity[]> {
  const before = after && { at: timestampFromDate(timeOfId(after)), stepId: stepOfPlace(after) };
  const { steps } = await responses.listContactRespondents({ ...contact, limit, ...(before && { before }) });
  return steps.map(({ at, stepId, kind, surveyId, respondentId }) => {
    const time = timestampDate(at!);
    return {
      activityId: placeOfStep({ at: time, stepId }),
      kind: kinds[kind as keyof typeof kinds],
      at: time,
      changedFields: [],
      importId: "",
      distributorId: "",
      surveyId,
      respondentId,
    };
  });
}
