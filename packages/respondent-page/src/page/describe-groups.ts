import { QuestionImagePickerModel, QuestionRankingModel } from "survey-core";

/** Removes aria-required and aria-invalid, which SurveyJS sets on groups and WAI-ARIA 1.2 does not allow there. */
export function describeGroups(): void {
  for (const { prototype } of [QuestionRankingModel, QuestionImagePickerModel])
    for (const name of ["ariaRequired", "ariaInvalid"]) Object.defineProperty(prototype, name, { get: () => null });
}
