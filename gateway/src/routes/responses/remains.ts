import { named, nullable } from "../schemas.ts";
import { Type } from "typebox";

export const remainsSchema = Type.Array(
  named("Remainder", {
    what: Type.String(),
    days: nullable<number>("integer", {
      description: "days until it is deleted; null: kept as long as other data of its kind",
    }),
  }),
  { description: "other places that may still contain data, and for how long (contract 7.12)" },
);

const everywhere = [
  { what: "Records of idempotency keys, including the keys themselves.", days: 1 },
  { what: "Conditions of exports, as callers wrote them, after the file is gone.", days: 30 },
  { what: "Backups, and data that the database has not yet cleaned up; the operator decides how long.", days: null },
  { what: "Data that was downloaded, or sent by webhook or mail.", days: null },
];

/** What remains after the erasure of a respondent (contract 7.12). */
export const respondentRemains = [
  { what: "The respondent's id in events and deliveries, without answers.", days: 30 },
  ...everywhere,
];

/** What remains after the erasure of a contact (contract 11.7). */
export const contactRemains = [
  { what: "Answers to other questions, and metadata, that mention the person.", days: null },
  {
    what: "Later answers of respondents who had started before the erasure; they are no longer linked to the contact.",
    days: null,
  },
  { what: "Rows of a waiting import, which may create a new contact.", days: 3 },
  ...everywhere,
];
