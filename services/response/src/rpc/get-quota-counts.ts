import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetQuotaCountsRequest, GetQuotaCountsResponseSchema } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { requireSurvey } from "../application/surveys/require-survey.ts";
import { findQuotaCounts } from "../storage/results/quota-counts.ts";

export async function getQuotaCounts(
  context: ResponseContext,
  { surveyId }: GetQuotaCountsRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetQuotaCountsResponseSchema>> {
  const survey = { workspaceId, surveyId };
  await requireSurvey(context, survey);
  const counts = await findQuotaCounts(context.database.sql, [survey]);
  return { counts: counts.map(({ quotaId, completed }) => ({ quotaId, completed: BigInt(completed) })) };
}
