import { Type } from "typebox";
import { sought, word } from "../fields.ts";
import { cursorQuery } from "../pages.ts";

export const surveyOrders = ["createdAt", "updatedAt", "name"] as const;

const sortValues = surveyOrders.flatMap((by) => [by, `-${by}`] as const);

export const surveysQuery = cursorQuery({
  active: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1,
      description: "1: only surveys that collect, 0: only those that do not",
      "x-expected": "0 or 1",
    }),
  ),
  q: Type.Optional(sought(200, "part of the name")),
  sort: word(sortValues, {
    default: "-createdAt",
    description: "a leading minus sorts descending",
    "x-expected": `one of ${sortValues.join(", ")}`,
  }),
  includeTotal: Type.Boolean({ default: false, description: "return `total`, too" }),
});
