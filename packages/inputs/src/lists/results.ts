import { Type } from "typebox";
import { closed } from "../fields.ts";

/** The query of `GET /response/surveys/{id}/aggregation` and `…/report`. */
export const resultsQuery = closed({
  includeOffPath: Type.Optional(
    Type.Boolean({
      default: false,
      description: "count answers to what was no longer reached when the respondent completed, too",
    }),
  ),
});
