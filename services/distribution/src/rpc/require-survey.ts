import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { DistributionContext } from "../context.ts";

export async function requireSurvey(
  { surveys }: Pick<DistributionContext, "surveys">,
  ref: { workspaceId: string; surveyId: string },
): Promise<void> {
  if (isId(ref.surveyId)) {
    const { collections } = await surveys.batchGetCollections({ surveys: [ref] });
    if (collections[0]?.found) return;
  }
  throw new AppError("survey_not_found");
}
