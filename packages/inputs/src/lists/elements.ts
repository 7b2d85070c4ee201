import { Type } from "typebox";
import { word } from "../fields.ts";
import { cursorOrPageQuery } from "../pages.ts";

export const elementsQuery = cursorOrPageQuery({
  include: Type.Optional(
    word(["content"], { description: "content: return settings, choices, rows, columns and `required` of each" }),
  ),
});
