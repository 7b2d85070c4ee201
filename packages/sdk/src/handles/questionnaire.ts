import type { ImportQuestionnaireData, ImportQuestionnaireRequest } from "../../gen/api/types.gen.ts";

/** A file of another system. */
export interface Questionnaire {
  format: ImportQuestionnaireData["query"]["format"];
  bytes: Uint8Array;
}

/** What the generated class sends of a file: its bytes as they are. */
export const questionnaireBody = ({ bytes }: Questionnaire): Pick<ImportQuestionnaireData, "body"> => ({
  body: bytes as unknown as ImportQuestionnaireRequest,
});
