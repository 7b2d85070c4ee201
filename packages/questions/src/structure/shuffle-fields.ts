import { Type } from "typebox";

export const shuffleElements = Type.Optional(
  Type.Boolean({ description: "the page's elements are shuffled for each respondent" }),
);
export const shuffleItems = Type.Optional(Type.Boolean({ description: "the items are shuffled for each respondent" }));

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
