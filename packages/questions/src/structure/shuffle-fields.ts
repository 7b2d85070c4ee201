import { Type } from "typebox";

export const shuffleElements = Type.Optional(
  Type.Boolean({ description: "each respondent has an own order of the page's elements" }),
);
export const shuffleItems = Type.Optional(
  Type.Boolean({ description: "each respondent has an own order of the items" }),
);
