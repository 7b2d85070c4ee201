import { Type } from "typebox";
import { closed, word } from "../fields.ts";
import { numberedQuery } from "../pages.ts";

export const elementsQuery = closed({
  ...numberedQuery.properties,
  include: Type.Optional(
    word(["content"], { description: "content: each with settings, choices, rows, columns and required" }),
  ),
});
