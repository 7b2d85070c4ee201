import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PreviewQuestionnaireRequest, PreviewQuestionnaireResponseSchema } from "@canvass/proto/survey-documents";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { readQuestionnaireFile } from "./read-questionnaire-file.ts";

/** Returns what importing a questionnaire would create. Writes nothing (contract 6.25). */
export async function previewQuestionnaire(
  { questionnaires }: SurveyContext,
  { file }: PreviewQuestionnaireRequest,
  call: Call,
): Promise<MessageInitShape<typeof PreviewQuestionnaireResponseSchema>> {
  return readQuestionnaireFile(questionnaires.read, file, call);
}
