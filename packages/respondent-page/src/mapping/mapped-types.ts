import { dropdown, imageChoice, multipleChoice, ranking } from "./choices.ts";
import type { MappedType } from "./mapped-type.ts";
import { fileUpload } from "./files.ts";
import { statement } from "./reading.ts";
import { consent, nps, rating, slider, yesNo } from "./scales.ts";
import { constantSum, dropdownMatrix, matrix } from "./tables.ts";
import { contactInfo, dateTime, form, longText, number, shortText } from "./texts.ts";

const mappedTypes: Record<string, MappedType> = {
  short_text: shortText,
  long_text: longText,
  number,
  multiple_choice: multipleChoice,
  dropdown,
  image_choice: imageChoice,
  yes_no: yesNo,
  rating,
  nps,
  slider,
  date_time: dateTime,
  matrix,
  dropdown_matrix: dropdownMatrix,
  ranking,
  constant_sum: constantSum,
  file_upload: fileUpload,
  consent,
  contact_info: contactInfo,
  statement,
  form,
};

export const mappedNames: readonly string[] = Object.keys(mappedTypes);

/** Returns undefined for types that are newer than this page, which does not show them. */
export function mappedTypeOf({ typeName }: { typeName: string }): MappedType | undefined {
  return Object.hasOwn(mappedTypes, typeName) ? mappedTypes[typeName] : undefined;
}
