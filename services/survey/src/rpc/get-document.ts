import type { MessageInitShape } from "@bufbuild/protobuf";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { GetDocumentRequest, GetDocumentResponseSchema } from "@canvass/proto/survey-documents";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { readSurveyAsDocument } from "./read-survey-as-document.ts";
import { requireSurvey } from "./require-survey.ts";
import { surveyTag } from "./survey-message.ts";

/** Returns the document of the draft, or of a version with the present fields and settings (contract 6.14). */
export async function getDocument(
  { database }: SurveyContext,
  { surveyId, versionNumber }: GetDocumentRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetDocumentResponseSchema>> {
  const read = async (sql: Sql) => {
    const survey = await requireSurvey(sql, { workspaceId, surveyId });
    return { documentJson: await readSurveyAsDocument(sql, survey, versionNumber), etag: surveyTag(survey) };
  };
  return inTransaction(database.pool, read, { isolation: "repeatable read" });
}
