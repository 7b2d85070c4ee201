import { Type } from "typebox";
import { closed, languageTag, reference } from "../fields.ts";
import { timeParam } from "../pages.ts";
import { fieldFilters } from "./respondents.ts";

const includeOffPath = {
  includeOffPath: Type.Optional(
    Type.Boolean({
      default: false,
      description: "also count answers to questions that were off the respondent's path at completion",
    }),
  ),
};

const mostBins = 60;

const bins = Type.Optional(
  Type.Integer({
    minimum: 2,
    maximum: mostBins,
    description:
      "maximum number of bars of each histogram; all bars then have the same width: 1, 2 or 5 times a power of ten",
    "x-expected": `a whole number from 2 to ${mostBins}`,
  }),
);

/** Limit of JSON in a query, in characters. Node.js takes 16 KiB of headers, the address included. */
const longestJson = 8_000;

/** Filters that select the respondents whose answers are counted (contract 7.7). */
const filters = {
  completed: Type.Optional(
    Type.Boolean({ description: "true: only respondents who have completed; false: only those who have not" }),
  ),
  from: timeParam("who started at this time or later"),
  to: timeParam("who started before this time"),
  distributorId: Type.Optional(reference("a distributor", "who came by this distributor")),
  versionNumber: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: "only respondents of this published version",
      "x-expected": "the number of a published version",
    }),
  ),
  where: Type.Optional(
    Type.String({
      maxLength: longestJson,
      description:
        "only respondents whose answers, hidden fields and language fulfil this condition (contract 6.9), as JSON",
      "x-expected": `a condition as JSON, of at most ${longestJson} characters`,
      examples: ['{"elementId":"aaaaaaaaaaaaaaaa","operator":"answered"}'],
    }),
  ),
};

const language = {
  ...languageTag,
  description: "only respondents who read the survey in this language; `de` includes `de-AT`",
};

const ofResults = closed({ ...includeOffPath, bins, ...filters, language: Type.Optional(language) });

/** `field.<name>` filters by a hidden field. */
export const resultsQuery: typeof ofResults = { ...ofResults, ...fieldFilters };

/** Limit of the tables and series of a report together. */
export const mostReportTables = 4;

const tables = (what: string, example: object) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: longestJson, "x-expected": `JSON of at most ${longestJson} characters` }), {
      maxItems: mostReportTables,
      description: `${what}, as JSON, without filters; may be repeated, up to ${mostReportTables} tables and series together`,
      examples: [[JSON.stringify(example)]],
    }),
  );

const ofReport = closed({
  ...includeOffPath,
  ...filters,
  crosstab: tables("a table as `POST …/crosstabs` counts it (contract 7.20)", { rows: { known: "language" } }),
  series: tables("a series as `POST …/series` computes it (contract 7.21)", {
    known: "versionNumber",
    by: "week",
    measure: "share",
    categories: ["1"],
  }),
  language: Type.Optional({
    ...languageTag,
    description: "language of the question texts, if the survey has it (contract 6.17)",
  }),
});

export const reportQuery: typeof ofReport = { ...ofReport, ...fieldFilters };
