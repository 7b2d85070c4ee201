import { Type } from "typebox";
import { closed, languageTag, timestampText, reference, word } from "../fields.ts";
import { attributePrefix, contactTextNames, longestAttributeName, mostContactAttributes } from "./contact.ts";

export const exportFormats = ["csv", "xlsx", "json", "ndjson", "sav", "parquet"] as const;
export const exportLabels = ["ids", "labels", "both"] as const;
export const exportHeadings = ["texts", "names", "both"] as const;
const mostReferences = 1_000;

const contactField = Type.String({
  pattern: `^(${contactTextNames.join("|")}|attributes\\.[\\s\\S]+)$`,
  maxLength: attributePrefix.length + longestAttributeName,
  description: `${contactTextNames.join(", ")}, or \`${attributePrefix}\` and a name`,
  "x-expected": `one of ${contactTextNames.join(", ")}, or ${attributePrefix} and a name`,
});

const mostFields = 50;

const hiddenField = Type.String({
  pattern: "^[A-Za-z][A-Za-z0-9_]{0,63}$",
  description: "the name of a hidden field",
  "x-expected": "the name of a hidden field",
});

const flag = (description: string, usual = false) =>
  Type.Boolean({ default: usual, description, "x-expected": "true or false" });

/** `exportBody` of `@canvass/questions` adds the condition `where`. */
export const createExportBody = closed({
  format: word(exportFormats, { description: "csv, xlsx, json, ndjson, sav (SPSS) or parquet" }),
  labels: Type.Optional(
    word(exportLabels, {
      default: "labels",
      description: "how questions and choices are written; `both` is `text [id]`",
      "x-expected": "ids, labels or both",
    }),
  ),
  headings: Type.Optional(
    word(exportHeadings, {
      default: "texts",
      description: "headings of columns; `both` is `text [name]`. Columns of sav and parquet always have names",
      "x-expected": "texts, names or both",
    }),
  ),
  language: Type.Optional({
    ...languageTag,
    description: "language of texts, if the survey has it (contract 6.17); default: the survey's own",
  }),
  bom: Type.Optional(flag("a csv file begins with a byte order mark: Excel then takes it for UTF-8")),
  escapeFormulas: Type.Optional(
    flag(
      "in a csv file texts that a spreadsheet would run begin with an apostrophe; false: they are as answered",
      true,
    ),
  ),
  includePartial: Type.Optional(flag("unfinished respondents with answers, too")),
  includeTest: Type.Optional(flag("answers of test tokens, too")),
  includeOffPath: Type.Optional(flag("answers to what was no longer reached when the respondent completed, too")),
  includeOrder: Type.Optional(
    flag("a column for each list, page and loop that is shuffled: what is in it in the order shown"),
  ),
  from: Type.Optional(timestampText("respondents that started then or later")),
  to: Type.Optional(timestampText("respondents that started earlier")),
  elementIds: Type.Optional(
    Type.Array(reference("an element", "a question to export"), { minItems: 1, maxItems: mostReferences }),
  ),
  distributorIds: Type.Optional(
    Type.Array(reference("a distributor", "a link whose respondents to export"), {
      minItems: 1,
      maxItems: mostReferences,
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
  fields: Type.Optional(
    Type.Array(hiddenField, {
      maxItems: mostFields,
      uniqueItems: true,
      description: "the hidden fields to export (contract 6.18); default: all",
    }),
  ),
  contactFields: Type.Optional(
    Type.Array(contactField, {
      minItems: 1,
      maxItems: contactTextNames.length + mostContactAttributes,
      uniqueItems: true,
      description:
        "fields of the respondents' contacts, a column for each; needs `contacts:read` and a survey that is not anonymous",
    }),
  ),
  timeZone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: "IANA time zone of the times; default: that of the workspace",
      "x-expected": "an IANA time zone such as Europe/Berlin",
    }),
  ),
});
