import { Type } from "typebox";
import { closed, word } from "../fields.ts";

export const documentQuery = closed({
  format: Type.Optional(
    word(["json", "yaml", "xlsform"], {
      description: "instead of `Accept`; default json. xlsform: a form of ODK and Kobo",
    }),
  ),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: "number of a published version; default: the draft",
      "x-expected": "the number of a version",
    }),
  ),
});
