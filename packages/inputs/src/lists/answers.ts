import { Type } from "typebox";
import { reference, placeReference } from "../fields.ts";
import { eitherQuery, timeParam } from "../pages.ts";

const completed = Type.Optional(Type.Boolean({ description: "whether the respondent has completed" }));

const filters = {
  respondentId: Type.Optional(reference("a respondent", "of this respondent")),
  elementId: Type.Optional(
    placeReference(
      "an element",
      "to this element; on a page that repeats in every repetition, or with `:` and the choice in one",
    ),
  ),
  from: timeParam("given at this time or later"),
  to: timeParam("given before this time"),
  completed,
};

export const answersQuery = eitherQuery(filters);
