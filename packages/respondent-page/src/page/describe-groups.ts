import { options, type VNode } from "preact";
import { QuestionImagePickerModel, QuestionRankingModel, QuestionSliderModel } from "survey-core";
import { FileQuestion } from "./file-question.ts";

const define = (prototype: object, name: string, get: (this: QuestionImagePickerModel) => unknown) =>
  Object.defineProperty(prototype, name, { get });

/** Corrects what SurveyJS exposes to screen readers for questions with several controls. */
export function describeGroups(): void {
  // WAI-ARIA 1.2 does not allow these two on groups.
  for (const name of ["ariaRequired", "ariaInvalid"] as const) {
    for (const { prototype } of [QuestionRankingModel, QuestionSliderModel, FileQuestion])
      define(prototype, name, () => null);
    define(QuestionImagePickerModel.prototype, name, function () {
      return this.multiSelect ? null : String(name === "ariaRequired" ? this.isRequired : this.hasCssError());
    });
  }
  // Text fields by SurveyJS, although they contain one.
  for (const { prototype } of [QuestionSliderModel, FileQuestion]) define(prototype, "ariaRole", () => "group");

  // Browsers treat every unchecked required checkbox as invalid from the start.
  const former = options.vnode?.bind(options);
  options.vnode = (drawn: VNode) => {
    const props = drawn.props as Record<string, unknown>;
    if (drawn.type === "input" && props["type"] === "checkbox" && props["required"]) props["aria-invalid"] ??= "false";
    former?.(drawn);
  };
}
