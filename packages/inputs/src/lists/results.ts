import { Type } from "typebox";
import { closed, languageTag } from "../fields.ts";

const includeOffPath = {
  includeOffPath: Type.Optional(
    Type.Boolean({
      default: false,
      description: "count answers to what was no longer reached when the respondent completed, too",
    }),
  ),
};

export const resultsQuery = closed(includeOffPath);

export const reportQuery = closed({
  ...includeOffPath,
  language: Type.Optional({ ...languageTag, description: "of questions, where the survey has it (contract 6.17)" }),
});
