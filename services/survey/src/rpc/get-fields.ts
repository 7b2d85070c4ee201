import type { MessageInitShape } from "@bufbuild/protobuf";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { GetFieldsRequest, GetFieldsResponseSchema } from "@canvass/proto/survey";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { readLists } from "../storage/survey-lists.ts";
import { requireSurvey } from "./require-survey.ts";
import { surveyTag } from "./survey-message.ts";

export async function getFields(
  { database }: SurveyContext,
  { surveyId }: GetFieldsRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetFieldsResponseSchema>> {
  const read = async (sql: Sql) => {
    const survey = await requireSurvey(sql, { workspaceId, surveyId });
    return { survey, lists: await readLists(sql, survey) };
  };
  const { survey, lists } = await inTransaction(database.pool, read, { isolation: "repeatable read" });
  return { fieldsJson: JSON.stringify(lists.fields ?? []), etag: surveyTag(survey) };
}
