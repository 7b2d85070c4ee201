import { named, nullable } from "../schemas.ts";
import { Type } from "typebox";

export const remainsSchema = Type.Array(
  named("Remainder", {
    what: Type.String(),
    days: nullable<number>("integer", { description: "after which it is gone; null: as others keep it" }),
  }),
  { description: "what else may hold something, and for how long (contract 7.12)" },
);

const everywhere = [
  { what: "Records of idempotency keys, with the key as its caller chose it.", days: 1 },
  { what: "Conditions of exports, as their callers wrote them, after the file is gone.", days: 30 },
  { what: "Backups, and what the database has not yet cleaned up, as the operator keeps them.", days: null },
  { what: "What somebody downloaded, or received by webhook or mail.", days: null },
];

/** After the erasure of a respondent (contract 7.12). */
export const afterRespondent = [
  { what: "The respondent's id in events and deliveries, without any answer.", days: 30 },
  ...everywhere,
];

/** After the erasure of a contact (contract 11.7). */
export const afterContact = [
  { what: "Answers to other questions, and metadata, in which somebody wrote about the person.", days: null },
  { what: "What respondents that had begun answer after the erasure: they go on as nobody's.", days: null },
  { what: "Rows of an import that waits: they may make a new contact.", days: 3 },
  ...everywhere,
];
