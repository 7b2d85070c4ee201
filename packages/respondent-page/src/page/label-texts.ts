import { QuestionSelectBase, type ItemValue, type TextAreaModel } from "survey-core";

type TextAreaOf = (this: QuestionSelectBase, item: ItemValue | undefined) => TextAreaModel | null;

/** Labels the texts of choices by their choice. SurveyJS gives them no label. */
export function labelTexts(): void {
  const { prototype } = QuestionSelectBase;
  const name = "getCommentTextAreaModel";
  const textAreaOf = Object.getOwnPropertyDescriptor(prototype, name)!.value as TextAreaOf;
  const labelled: TextAreaOf = function (item) {
    const area = textAreaOf.call(this, item);
    if (area && item) Object.defineProperty(area, "ariaLabel", { get: () => item.text, configurable: true });
    return area;
  };
  Object.defineProperty(prototype, name, { value: labelled, configurable: true, writable: true });
}
