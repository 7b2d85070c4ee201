import type { QuestionType } from "./question-type.ts";
import { consent } from "./types/consent.ts";
import { constantSum } from "./types/constant-sum.ts";
import { contactInfo } from "./types/contact-info.ts";
import { dateTime } from "./types/date-time.ts";
import { dropdownMatrix } from "./types/dropdown-matrix.ts";
import { dropdown } from "./types/dropdown.ts";
import { fileUpload } from "./types/file-upload.ts";
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

/** Every question type, in the order of its number. */
export const questionTypes: readonly QuestionType[] = [
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
];

const byNumber: readonly (QuestionType | undefined)[] = [undefined, ...questionTypes];
const byName: ReadonlyMap<string, QuestionType> = new Map(questionTypes.map((type) => [type.typeName, type]));

/** The names of all types, for documents and messages. */
export const typeNames: readonly string[] = [...byName.keys()];

/** The type with that number or name; undefined when there is none. Takes anything, as callers send anything. */
export function findQuestionType(type: unknown): QuestionType | undefined {
  return typeof type === "number" ? byNumber[type] : byName.get(type as string);
}

/** The type of a question that is already part of a definition. Throws when the definition is of a newer program. */
export function questionTypeOf(question: { type: number }): QuestionType {
  const type = byNumber[question.type];
  if (!type) throw new Error(`There is no question type ${question.type}.`);
  return type;
}
