import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import { findReplay } from "@canvass/postgres/rpc";
import { ImportQuestionnaireResponseSchema, type ImportQuestionnaireRequest } from "@canvass/proto/survey-documents";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { parsingDocument } from "../domain/read-survey-document.ts";
import { insertDocument } from "./insert-document.ts";
import { readQuestionnaireFile } from "./read-questionnaire-file.ts";
import { toSurveyMessage } from "./survey-message.ts";
import { write } from "./write.ts";

/** Creates a survey from a questionnaire of another system, all or nothing (contract 6.25). */
export async function importQuestionnaire(
  context: SurveyContext,
  { file }: ImportQuestionnaireRequest,
  call: Call,
): Promise<MessageInitShape<typeof ImportQuestionnaireResponseSchema>> {
  const replay = await findReplay(context.database.sql, call, ImportQuestionnaireResponseSchema, context.now());
  if (replay) return replay;
  // Before the transaction: reading a file may take seconds. To its end, since a retry with the key gets the survey.
  const { documentJson, items } = await readQuestionnaireFile(context.questionnaires.readToEnd, file, call);
  const document = await runInSlices(parsingDocument(documentJson));
  return write(context, call, ImportQuestionnaireResponseSchema, async (sql) => {
    const survey = await insertDocument(sql, call, { document }, context.now());
    return { survey: toSurveyMessage(survey), items };
  });
}
