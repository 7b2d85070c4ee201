import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { runInSlices } from "@canvass/fairness";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { GetAnswersSchemaRequest, GetAnswersSchemaResponseSchema } from "@canvass/proto/survey";
import { keyedIds, makingAnswersSchema } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { findDocumentKeys } from "../storage/document-keys.ts";
import { readStoredDefinition } from "../storage/stored-definitions.ts";
import { findVersionId } from "../storage/versions.ts";
import { requireSurvey } from "./require-survey.ts";

/** Returns the JSON Schema of the answers to a published version (contract 6.15). */
export async function getAnswersSchema(
  { database }: SurveyContext,
  { surveyId, versionNumber }: GetAnswersSchemaRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetAnswersSchemaResponseSchema>> {
  const read = async (sql: Sql) => {
    const survey = await requireSurvey(sql, { workspaceId, surveyId });
    const number = versionNumber || survey.publishedVersion;
    const id = await findVersionId(sql, survey, number);
    if (id === undefined) throw new AppError("version_not_found");
    const definition = await readStoredDefinition(sql, survey, { kind: "version", id });
    const keys = await findDocumentKeys(sql, survey, await runInSlices(keyedIds(definition)));
    return { definition, keys, title: `Answers to ${survey.name}` };
  };
  const { definition, ...about } = await inTransaction(database.pool, read, { isolation: "repeatable read" });
  return { schemaJson: await runInSlices(makingAnswersSchema(definition, about)) };
}
