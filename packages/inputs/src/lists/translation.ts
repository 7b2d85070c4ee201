import { Type } from "typebox";
import { closed, word } from "../fields.ts";

/** The query of a translation (contract 6.17). */
export const translationQuery = closed({
  format: Type.Optional(
    word(["json", "po", "csv"], { description: "default json; po (gettext) and csv are files for translators" }),
  ),
});

export const importTranslationQuery = closed({
  language: Type.String({ description: "one of the survey's `settings.locale.languages`" }),
  format: word(["po", "csv"], { description: "of the file" }),
});
