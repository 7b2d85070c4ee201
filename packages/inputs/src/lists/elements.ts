import { Type } from "typebox";
import { word } from "../fields.ts";
import { eitherQuery } from "../pages.ts";

export const elementsQuery = eitherQuery({
  include: Type.Optional(
    word(["content"], { description: "content: each with settings, choices, rows, columns and required" }),
  ),
});
