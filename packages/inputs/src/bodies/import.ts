import { Type } from "typebox";
import { closed, word } from "../fields.ts";

export const mostImportRows = 10_000;
/** Limit of a CSV file in bytes, decompressed. */
export const mostCsvBytes = 4 * 1_048_576;
export const mostImportErrors = 100;

export const importModes = ["create", "upsert"] as const;
export const importKeys = ["email", "externalId"] as const;
export type ImportMode = (typeof importModes)[number];
export type ImportKey = (typeof importKeys)[number];

const mode = word(importModes, {
  description:
    "what happens to a row whose contact is there: `create` skips it, `upsert` (the default) changes the contact",
  "x-expected": "create or upsert",
});

const matchOn = word(importKeys, {
  description: "the field that identifies the contact of a row; default email",
  "x-expected": "email or externalId",
});

const settings = { mode: Type.Optional(mode), matchOn: Type.Optional(matchOn) };

export const importSettings = closed(settings);

const flag = (description: string) => Type.Optional(Type.Boolean({ description, "x-expected": "true or false" }));

export const importQuery = closed({
  ...settings,
  dryRun: flag("true: nothing is kept; the answer shows the first ten rows as new contacts and the faults of all rows"),
});

export const importResponsesQuery = closed({
  dryRun: flag("true: nothing is kept; the answer shows the first ten rows and the violations of all"),
  skipUnknown: flag("true: columns that the survey does not have are left out, instead of refusing the file"),
});

export const createImportBody = closed({
  rows: Type.Array(
    Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "a contact, as for `POST /contacts`",
      "x-judged-by": "catalogue",
    }),
    { minItems: 1, maxItems: mostImportRows },
  ),
  ...settings,
});
