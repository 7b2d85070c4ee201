import type { QuestionType } from "./question-type.ts";
import { withTextFormat } from "./text-format.ts";
import { consent } from "./types/consent.ts";
import { constantSum } from "./types/constant-sum.ts";
import { contactInfo } from "./types/contact-info.ts";
import { dateTime } from "./types/date-time.ts";
import { dropdownMatrix } from "./types/dropdown-matrix.ts";
import { dropdown } from "./types/dropdown.ts";
import { fileUpload } from "./types/file-upload.ts";
import { form } from "./types/form.ts";
import { imageChoice } from "./types/image-choice.ts";
import { longText } from "./types/long-text.ts";
import { matrix } from "./types/matrix.ts";
import { multipleChoice } from "./types/multiple-choice.ts";
import { nps } from "./types/nps.ts";
import { number } from "./types/number.ts";
import { ranking } from "./types/ranking.ts";
import { rating } from "./types/rating.ts";
import { shortText } from "./types/short-text.ts";
import { slider } from "./types/slider.ts";
import { statement } from "./types/statement.ts";
import { yesNo } from "./types/yes-no.ts";

const types: readonly QuestionType[] = [
  shortText,
  longText,
  number,
  multipleChoice,
  dropdown,
  imageChoice,
  yesNo,
  rating,
  nps,
  slider,
  dateTime,
  matrix,
  dropdownMatrix,
  ranking,
  constantSum,
  fileUpload,
  consent,
  contactInfo,
  statement,
  form,
];

export const questionTypes: readonly QuestionType[] = types.map(withTextFormat);

const byNumber: readonly (QuestionType | undefined)[] = [undefined, ...questionTypes];
const byName: ReadonlyMap<string, QuestionType> = new Map(questionTypes.map((type) => [type.typeName, type]));

export const typeNames: readonly string[] = [...byName.keys()];

/** Accepts any value, because it comes from callers. */
export function findQuestionType(type: unknown): QuestionType | undefined {
  return typeof type === "number" ? byNumber[type] : byName.get(type as string);
}

/** Throws if a newer program wrote the definition. */
export function questionTypeOf(question: { type: number }): QuestionType {
  const type = byNumber[question.type];
  if (!type) throw new Error(`There is no question type ${question.type}.`);
  return type;
}
