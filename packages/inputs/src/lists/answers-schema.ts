import { Type } from "typebox";
import { closed } from "../fields.ts";

/** The query of the schema of answers (contract 6.15). */
export const answersSchemaQuery = closed({
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: "number of a published version; default: the latest",
      "x-expected": "the number of a version",
    }),
  ),
});
