import type { MessageInitShape } from "@bufbuild/protobuf";
import { refuseViolations } from "@canvass/inputs";
import { isId } from "@canvass/values";
import { openPage } from "@canvass/postgres";
import type { ListDistributorsRequest, ListDistributorsResponseSchema } from "@canvass/proto/distribution";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../context.ts";
import { findDistributors } from "../storage/distributors.ts";
import { distributorMessage } from "./distributor-message.ts";
import { findResults } from "./distributor-results.ts";
import { requireSurvey } from "./require-survey.ts";

export async function listDistributors(
  context: DistributionContext,
  request: ListDistributorsRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof ListDistributorsResponseSchema>> {
  const survey = { workspaceId: caller.workspaceId, surveyId: request.surveyId };
  const page = openPage<[distributorId: string]>(
    context.cursors,
    ["distributors", survey.workspaceId, survey.surveyId],
    request,
  );
  refuseViolations(page.violations);
  const [before] = page.after ?? [];
  const { prisma } = context.database;
  const found = isId(survey.surveyId)
    ? await findDistributors(prisma, { ...survey, limit: page.fetch, ...(before !== undefined && { before }) })
    : [];
  // A survey with distributors exists: surveys are never deleted.
  if (found.length === 0) await requireSurvey(context, survey);
  const { rows, ...end } = page.cut(found, ({ distributorId }) => [distributorId]);
  const results = await findResults(context, rows);
  const now = context.now();
  return { ...end, distributors: rows.map((row, index) => distributorMessage(row, now, results[index])) };
}
