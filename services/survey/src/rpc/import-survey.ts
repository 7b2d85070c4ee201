import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import { ImportSurveyResponseSchema, type ImportSurveyRequest } from "@canvass/proto/survey-documents";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { parsingDocument } from "../domain/read-survey-document.ts";
import { insertDocument } from "./insert-document.ts";
import { toSurveyMessage } from "./survey-message.ts";
import { write } from "./write.ts";

/** Creates a survey from a document, all or nothing (contract 6.14). */
export function importSurvey(
  context: SurveyContext,
  { bodyJson }: ImportSurveyRequest,
  call: Call,
): Promise<MessageInitShape<typeof ImportSurveyResponseSchema>> {
  return write(context, call, ImportSurveyResponseSchema, async (sql) => {
    const now = context.now();
    const document = await runInSlices(parsingDocument(bodyJson));
    return { survey: toSurveyMessage(await insertDocument(sql, call, { document }, now)) };
  });
}
