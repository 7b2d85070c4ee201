import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HasResponsesRequest, HasResponsesResponseSchema } from "@canvass/proto/response";
import type { ResponseContext } from "../context.ts";
import { hasResponses as readHasResponses } from "../storage/results.ts";

/** Whether anybody's answers of a survey count at this moment; for a survey that is not there: no. */
export async function hasResponses(
  { database }: ResponseContext,
  { workspaceId, surveyId }: HasResponsesRequest,
): Promise<MessageInitShape<typeof HasResponsesResponseSchema>> {
  return { hasResponses: await readHasResponses(database.sql, workspaceId, surveyId) };
}
