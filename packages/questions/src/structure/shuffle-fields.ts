import { Type } from "typebox";

export const shuffleElements = Type.Optional(
  Type.Boolean({ description: "each respondent has an own order of the page's elements" }),
);
export const shuffleItems = Type.Optional(
  Type.Boolean({ description: "each respondent has an own order of the items" }),
);

export const pageBlock = Type.Optional(
  Type.Union([
    Type.String({
      pattern: "^[A-Za-z][A-Za-z0-9_]{0,63}$",
      description:
        "a letter, then letters, digits and _, at most 64: pages that follow each other and have the same are shuffled",
      "x-expected": "a letter, then letters, digits and _, at most 64 characters",
    }),
    Type.Null(),
  ]),
);
