import { Type } from "typebox";
import { closed } from "../fields.ts";

export const resultsQuery = closed({
  includeOffPath: Type.Optional(
    Type.Boolean({
      default: false,
      description: "count answers to what was no longer reached when the respondent completed, too",
    }),
  ),
});
