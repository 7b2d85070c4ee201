import { AppError } from "@canvass/errors";
import { questionnaireFormats } from "@canvass/inputs";
import type { QuestionnaireFile } from "@canvass/proto/survey-documents";
import type { Call } from "@canvass/rpc";
import type { ReadQuestionnaire } from "../application/questionnaires/read-questionnaire.ts";
import type { Questionnaires } from "../application/questionnaires/questionnaires.ts";

/** Reads a file of a request in a thread, by `read` or `readToEnd`. Throws `validation_failed`. */
export async function readQuestionnaireFile(
  read: Questionnaires["read"],
  file: QuestionnaireFile | undefined,
  { caller, signal }: Call,
): Promise<ReadQuestionnaire> {
  const format = questionnaireFormats.find((each) => each === file?.format);
  // A gateway of another version may send a format that this version does not have.
  if (!file || format === undefined) throw new AppError("service_unavailable");
  return read(caller.workspaceId, { format, file: file.content }, signal);
}
