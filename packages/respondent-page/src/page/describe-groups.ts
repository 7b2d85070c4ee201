import { QuestionImagePickerModel, QuestionRankingModel } from "survey-core";

/** A group (WAI-ARIA 1.2) is neither required nor invalid; SurveyJS says so of items to rank and of pictures. */
export function describeGroups(): void {
  for (const { prototype } of [QuestionRankingModel, QuestionImagePickerModel])
    for (const name of ["ariaRequired", "ariaInvalid"]) Object.defineProperty(prototype, name, { get: () => null });
}
