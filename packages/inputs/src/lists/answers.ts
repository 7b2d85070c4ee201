import { Type } from "typebox";
import { closed, languageTag, reference, placeReference, word } from "../fields.ts";
import { cursorParam, cursorOrPageQuery, timeParam } from "../pages.ts";

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
  language: Type.Optional({
    ...languageTag,
    description: "language of `valueLabels`, if the survey has it (contract 6.17)",
  }),
};

const paging = Type.Optional(
  word(["cursor"] as const, {
    description: "`cursor`: paginate by cursor, starting with the first page; absent: by page number",
  }),
);

export const answersQuery = cursorOrPageQuery({ ...filters, paging });

/** The query of the stream of all answers. It has no pages; `cursor` is where to resume. */
export const answerRowsQuery = closed({ ...filters, cursor: cursorParam });
