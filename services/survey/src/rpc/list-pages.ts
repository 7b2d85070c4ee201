import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { mapInSlices } from "@canvass/fairness";
import { isId } from "@canvass/values";
import type { ListPagesRequest, ListPagesResponseSchema } from "@canvass/proto/survey-elements";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { listPages as findPages } from "../storage/list-pages.ts";
import { toPageMessage } from "./page-message.ts";

/** Lists all pages of a draft in order. A draft has at least one page, so no pages means no survey. */
export async function listPages(
  { database: { sql } }: SurveyContext,
  { surveyId }: ListPagesRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof ListPagesResponseSchema>> {
  const pages = isId(surveyId) ? await findPages(sql, { workspaceId, surveyId }) : [];
  if (pages.length === 0) throw new AppError("survey_not_found");
  return { pages: await mapInSlices(pages, (page) => toPageMessage(surveyId, page)) };
}
