import { Type } from "typebox";
import { word } from "../fields.ts";
import { eitherQuery } from "../pages.ts";

export const elementsQuery = eitherQuery({
  include: Type.Optional(
    word(["content"], { description: "content: return settings, choices, rows, columns and `required` of each" }),
  ),
});
