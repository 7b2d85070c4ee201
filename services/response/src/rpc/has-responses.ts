import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HasResponsesRequest, HasResponsesResponseSchema } from "@canvass/proto/response";
import type { ResponseContext } from "../context.ts";
import { hasAnswers } from "../storage/results/results.ts";

/** Reports whether a survey has answers that count. False if the survey does not exist. */
export async function hasResponses(
  { database }: ResponseContext,
  { workspaceId, surveyId }: HasResponsesRequest,
): Promise<MessageInitShape<typeof HasResponsesResponseSchema>> {
  return { hasResponses: await hasAnswers(database.prisma, workspaceId, surveyId) };
}
