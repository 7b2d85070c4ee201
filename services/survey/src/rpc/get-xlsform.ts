import type { MessageInitShape } from "@bufbuild/protobuf";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { GetXlsformRequest, GetXlsformResponseSchema } from "@canvass/proto/survey-documents";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { readSurveyAsDocument } from "./read-survey-as-document.ts";
import { requireSurvey } from "./require-survey.ts";
import { surveyTag } from "./survey-message.ts";

/** Returns the draft, or a version with the present fields and settings, as an XLSForm (contract 6.25). */
export async function getXlsform(
  { database, questionnaires }: SurveyContext,
  { surveyId, versionNumber }: GetXlsformRequest,
  { caller: { workspaceId }, signal }: Call,
): Promise<MessageInitShape<typeof GetXlsformResponseSchema>> {
  const read = async (sql: Sql) => {
    const survey = await requireSurvey(sql, { workspaceId, surveyId });
    return { json: await readSurveyAsDocument(sql, survey, versionNumber), etag: surveyTag(survey) };
  };
  const { json, etag } = await inTransaction(database.pool, read, { isolation: "repeatable read" });
  return { file: await questionnaires.write(workspaceId, json, signal), etag };
}
