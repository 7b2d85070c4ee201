import type { MessageInitShape } from "@bufbuild/protobuf";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { GetQuotasRequest, GetQuotasResponseSchema } from "@canvass/proto/survey";
import { withoutTranslations } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { readLists } from "../storage/survey-lists.ts";
import { requireSurvey } from "./require-survey.ts";
import { surveyTag } from "./survey-message.ts";

export async function getQuotas(
  { database }: SurveyContext,
  { surveyId }: GetQuotasRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetQuotasResponseSchema>> {
  const read = async (sql: Sql) => {
    const survey = await requireSurvey(sql, { workspaceId, surveyId });
    return { survey, lists: await readLists(sql, survey) };
  };
  const { survey, lists } = await inTransaction(database.pool, read, { isolation: "repeatable read" });
  return { quotasJson: JSON.stringify((lists.quotas ?? []).map(withoutTranslations)), etag: surveyTag(survey) };
}
