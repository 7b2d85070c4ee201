import type { ImportQuestionnaireData, ImportQuestionnaireRequest } from "../../gen/api/types.gen.ts";

/** A file of another system. */
export interface Questionnaire {
  format: ImportQuestionnaireData["query"]["format"];
  bytes: Uint8Array;
}

/** The body of a file, as the generated class takes it: its unchanged bytes. */
export const questionnaireBody = ({ bytes }: Questionnaire): Pick<ImportQuestionnaireData, "body"> => ({
  body: bytes as unknown as ImportQuestionnaireRequest,
});
