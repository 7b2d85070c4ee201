import { closed, languageTag, lookupId, reference, timestampText, word } from "@canvass/inputs";
import { Type, type Static } from "typebox";
import { conditionInput } from "../conditions/condition-input.ts";
import { measures } from "./variable.ts";

/** Properties that every respondent has. */
export const knownVariables = ["language", "distributorId", "versionNumber"] as const;
export const dateUnits = ["hour", "day", "month", "year"] as const;
export const seriesUnits = ["day", "week", "month"] as const;

const entry = Type.String({ minLength: 1, maxLength: 1_000, description: "the id, code or text of an entry" });
const number = Type.Number({ minimum: -1e15, maximum: 1e15 });

/** Exactly one of the first four members selects what is counted. */
const variable = {
  elementId: Type.Optional(lookupId("an element", "a question of the survey")),
  name: Type.Optional(Type.String({ maxLength: 64, description: "the name of a question" })),
  field: Type.Optional(Type.String({ maxLength: 64, description: "the name of a hidden field" })),
  known: Type.Optional(word(knownVariables, { description: "a property that every respondent has" })),
  part: Type.Optional(
    Type.Array(entry, {
      minItems: 1,
      maxItems: 3,
      description:
        "of an answer with parts: a row of a matrix (then a column of a dropdown matrix), a choice or a field",
    }),
  ),
  item: Type.Optional({
    ...entry,
    description: "for a question in a loop: id, code or text of the item",
    "x-expected": "the id, code or text of an item",
  }),
};

const grouped = {
  ...variable,
  edges: Type.Optional(
    Type.Array(number, {
      minItems: 1,
      maxItems: 50,
      description: "bounds of groups of numbers, ascending; each group includes its lower bound",
    }),
  ),
  unit: Type.Optional(
    word(dateUnits, { description: "unit for counting dates and times; default: month for dates, hour for times" }),
  ),
};

const filters = {
  where: Type.Optional(Type.Unsafe<unknown>({ ...conditionInput, "x-judged-by": "condition" })),
  completed: Type.Optional(
    Type.Boolean({
      description: "true: only respondents who have completed; false: only those who have not",
      "x-expected": "true or false",
    }),
  ),
  from: Type.Optional(timestampText("who started at this time or later")),
  to: Type.Optional(timestampText("who started before this time")),
  distributorId: Type.Optional(reference("a distributor", "who came by this distributor")),
  language: Type.Optional({
    ...languageTag,
    description: "only respondents who read the survey in this language; `de` includes `de-AT`",
  }),
  fields: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: "object",
      patternProperties: { "^[A-Za-z][A-Za-z0-9_]{0,63}$": Type.String({ maxLength: 1_000 }) },
      additionalProperties: false,
      description: "only respondents with these values of hidden fields, as text; numbers as JSON writes them",
    }),
  ),
  versionNumber: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: "only respondents of this published version",
      "x-expected": "the number of a published version",
    }),
  ),
};

const target = closed(
  {
    category: { ...entry, description: "a category by id, code or text, or a value" },
    size: Type.Number({
      minimum: 1e-15,
      maximum: 1e15,
      description: "its size relative to the others, in any unit: a share, percentage or number of people",
      "x-expected": "a number from 1e-15 to 1e15",
    }),
  },
  { title: "WeightTarget" },
);

const variableInput = closed(grouped, { title: "TableVariableInput" });

const crosstab = {
  rows: variableInput,
  columns: Type.Optional(variableInput),
  weights: Type.Optional(
    Type.Array(
      closed({ ...grouped, targets: Type.Array(target, { minItems: 2, maxItems: 50 }) }, { title: "WeightInput" }),
      { minItems: 1, maxItems: 5, description: "target distributions of the respondents" },
    ),
  ),
};

/** Counts respondents by one variable or two (contract 7.20). */
export const crosstabBody = closed({ ...crosstab, ...filters });

const series = {
  ...variable,
  by: word(seriesUnits, { description: "length of a period; weeks start on Monday" }),
  measure: word(measures, { description: "`share`: percentage of respondents who chose one of `categories`" }),
  categories: Type.Optional(Type.Array(entry, { minItems: 1, maxItems: 50, description: "of a share" })),
  timeZone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: "IANA time zone; default: that of the workspace",
      "x-expected": "an IANA time zone such as Europe/Berlin",
    }),
  ),
};

/** A measure over time (contract 7.21). */
export const seriesBody = closed({ ...series, ...filters });

/** Tables and series of a report; they use the filters of the report (contract 7.15). */
export const reportTables = { crosstab: closed(crosstab), series: closed(series) };

export type CrosstabBody = Static<typeof crosstabBody>;
export type SeriesBody = Static<typeof seriesBody>;
/** Fields that select what is counted, and how it is grouped. */
export type VariableInput = CrosstabBody["rows"];
export type TableFilters = Pick<CrosstabBody, keyof typeof filters>;
