import {
  closed,
  fieldValues,
  idempotencyKeyText,
  mostBatchItems,
  ownObject,
  lookupId,
  lookupPlace,
  word,
} from "@canvass/inputs";
import { Type, type Static } from "typebox";
import { typeNames } from "./catalogue.ts";

export const mostAnswers = 500;

const byQuestion = <Value>(schema: object, description: string) =>
  Type.Unsafe<Value>({ ...schema, description, "x-judged-by": "question" });

export const answerInput = closed(
  {
    elementId: lookupPlace(
      "an element",
      "from the survey's element list; on a page that repeats with `:` and the choice it repeats for",
    ),
    type: Type.Optional(
      // The number of the type is accepted, too.
      byQuestion<string | number>(word(typeNames), "type of the question; checked when given"),
    ),
    value: byQuestion<unknown>(
      {},
      "shape by question type; null takes an answer back, and so does a text that shows nothing",
    ),
    meta: Type.Optional(
      ownObject("yours to fill, stored with the answer; left out, a value that stands keeps its own"),
    ),
  },
  { title: "AnswerInput", "x-shown-as": "AnswerInput" },
);

const respondentId = lookupId("a respondent", "of a started respondent");

const complete = Type.Union([Type.Boolean(), Type.Null()], {
  description: "true says that these are the last answers, false that more follow; null says neither",
  "x-expected": "true or false",
});

const metadata = {
  ...ownObject(
    "yours to fill, not stored; `complete` says whether these are the last answers; a language tag in `language` is recorded as the respondent's",
    { known: { complete } },
  ),
  title: "SubmissionMetadata",
};

const submitted = {
  responses: Type.Array(answerInput, { maxItems: mostAnswers }),
  pageId: Type.Optional(
    Type.Union([lookupPlace("a page", "the page these answers were given on: updates progress"), Type.Null()]),
  ),
  metadata: Type.Optional(metadata),
};

export const submissionBody = closed({ respondentId, ...submitted });

export const linkSubmissionBody = closed(submitted);

export const batchItem = closed(
  {
    respondentId: Type.Optional({
      ...respondentId,
      description: "of a respondent who has started; absent: starts a new one",
    }),
    ...submitted,
    fields: Type.Optional(fieldValues),
    idempotencyKey: Type.Optional(idempotencyKeyText("a repetition with this key is answered as before")),
  },
  { title: "SubmissionInput" },
);

export const batchBody = closed({
  submissions: Type.Array(batchItem, { minItems: 1, maxItems: mostBatchItems }),
});

export type BatchItemInput = Static<typeof batchItem>;
export type SubmissionInput = Static<typeof submissionBody>;
export type SubmittedAnswer = Static<typeof answerInput>;
