import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { runInSlices } from "@canvass/fairness";
import { surveyFieldsOf } from "@canvass/inputs";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { GetDocumentRequest, GetDocumentResponseSchema } from "@canvass/proto/survey";
import { keyedIds, writingDocument, type SurveyDefinition, type SurveySettingsPatch } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { translatedSurvey } from "../domain/translated-survey.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { findDocumentKeys } from "../storage/document-keys.ts";
import { readDraft } from "../storage/draft.ts";
import { readStoredDefinition } from "../storage/stored-definitions.ts";
import { findSurveyTranslations } from "../storage/translations.ts";
import { findVersionId } from "../storage/versions.ts";
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
    const definition = await readDefinition(sql, survey, versionNumber);
    const keys = await findDocumentKeys(sql, survey, await runInSlices(keyedIds(definition)));
    const { translations } = translatedSurvey(survey, definition, await findSurveyTranslations(sql, survey));
    return { survey, definition, keys, translations };
  };
  const { survey, ...content } = await inTransaction(database.pool, read, { isolation: "repeatable read" });
  const settings = JSON.parse(survey.settingsJson) as SurveySettingsPatch;
  const documentJson = await runInSlices(writingDocument({ fields: surveyFieldsOf(survey), settings, ...content }));
  return { documentJson, etag: surveyTag(survey) };
}

async function readDefinition(sql: Sql, survey: SurveyRecord, versionNumber: number): Promise<SurveyDefinition> {
  if (versionNumber === 0) return readDraft(sql, survey);
  const id = await findVersionId(sql, survey, versionNumber);
  if (id === undefined) throw new AppError("version_not_found");
  return readStoredDefinition(sql, survey, { kind: "version", id });
}
