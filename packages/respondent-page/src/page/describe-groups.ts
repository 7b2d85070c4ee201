import { QuestionImagePickerModel, QuestionRankingModel } from "survey-core";

/** SurveyJS sets aria-required and aria-invalid on groups, which WAI-ARIA 1.2 does not allow. Removes them. */
export function describeGroups(): void {
  for (const { prototype } of [QuestionRankingModel, QuestionImagePickerModel])
    for (const name of ["ariaRequired", "ariaInvalid"]) Object.defineProperty(prototype, name, { get: () => null });
}
