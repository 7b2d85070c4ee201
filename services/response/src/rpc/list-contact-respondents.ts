import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { mostBatchItems } from "@canvass/inputs";
import type {
  ListContactRespondentsRequest,
  ListContactRespondentsResponseSchema,
} from "@canvass/proto/response-links";
import type { ResponseContext } from "../context.ts";
import { findContactSteps } from "../storage/respondents/contact-steps.ts";

export async function listContactRespondents(
  { database }: ResponseContext,
  { workspaceId, contactId, limit, before }: ListContactRespondentsRequest,
): Promise<MessageInitShape<typeof ListContactRespondentsResponseSchema>> {
  const found = await findContactSteps(
    database.sql,
    { workspaceId, contactId },
    {
      before: before?.at && { at: timestampDate(before.at), stepId: before.stepId },
      limit: Math.min(limit, mostBatchItems),
    },
  );
  return { steps: found.map(({ at, ...step }) => ({ ...step, at: timestampFromDate(at) })) };
}
