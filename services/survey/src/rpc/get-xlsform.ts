import type { MessageInitShape } from "@bufbuild/protobuf";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { GetXlsformRequest, GetXlsformResponseSchema } from "@canvass/proto/survey-documents";
import type { Call } from "@canvass/rpc";
import { contentTag } from "@canvass/values";
import type { SurveyContext } from "../context.ts";
import { readSurveyAsDocument } from "./read-survey-as-document.ts";
import { requireSurvey } from "./require-survey.ts";

/** Returns the draft, or a version with the present fields and settings, as an XLSForm (contract 6.25). */
export async function getXlsform(
  { database, questionnaires }: SurveyContext,
  { surveyId, versionNumber }: GetXlsformRequest,
  { caller: { workspaceId }, signal }: Call,
): Promise<MessageInitShape<typeof GetXlsformResponseSchema>> {
  const read = async (sql: Sql) => {
    const survey = await requireSurvey(sql, { workspaceId, surveyId });
    return readSurveyAsDocument(sql, survey, versionNumber);
  };
  const json = await inTransaction(database.pool, read, { isolation: "repeatable read" });
  const file = await questionnaires.write(workspaceId, json, signal);
  return { file, etag: contentTag(file) };
}
