import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HasResponsesRequest, HasResponsesResponseSchema } from "@canvass/proto/response";
import type { ResponseContext } from "../context.ts";
import { hasAnswers } from "../storage/results/results.ts";

export async function hasResponses(
  { database }: ResponseContext,
  { workspaceId, surveyId }: HasResponsesRequest,
): Promise<MessageInitShape<typeof HasResponsesResponseSchema>> {
  return { hasResponses: await hasAnswers(database.sql, { workspaceId, surveyId }) };
}
