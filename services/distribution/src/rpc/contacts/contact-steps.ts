import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { timeOfId } from "@canvass/values";
import type { DistributionContext } from "../../context.ts";
import { placeOfStep, stepOfPlace, type ListedActivity } from "../../domain/contacts/activity.ts";
import type { ContactRef } from "../../domain/contacts/contact.ts";

const kinds = { started: "respondent_started", completed: "respondent_completed" } as const;

/** Lists what the contact did as a respondent, newest first. The response service stores it. */
export async function findSteps(
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
