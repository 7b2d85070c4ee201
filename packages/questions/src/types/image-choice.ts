import type { QuestionType } from "../question-type.ts";
import { multipleChoice } from "./multiple-choice.ts";

export const imageChoice: QuestionType<typeof multipleChoice.settings> = {
  ...multipleChoice,
  number: 6,
  typeName: "image_choice",
  summary: "A multiple choice whose choices have pictures (https addresses).",
  lists: { choices: { max: 200, images: true, marks: ["exclusive", "pinned"], showIf: true } },
};
