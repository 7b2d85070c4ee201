import type { Question } from "@canvass/questions";
import { contentSql, type ContentColumn, type Stored } from "./content-columns.ts";

type Column = ContentColumn<keyof Question>;

/** Writes of whole questions and most reads follow from this table, but for the digest that the database computes. */
const columns: readonly Column[] = [
  { name: "name", member: "name", type: "text", isOptional: true },
  { name: "type", member: "type", type: "int2" },
  { name: "question_text", member: "text", type: "text" },
  { name: "help_text", member: "helpText", type: "text" },
  { name: "type_settings", member: "typeSettings", type: "jsonb" },
  { name: "response_validation", member: "responseValidation", type: "jsonb" },
  { name: "choices", member: "choices", type: "jsonb", isOptional: true },
  { name: "rows", member: "rows", type: "jsonb", isOptional: true },
  { name: "columns", member: "columns", type: "jsonb", isOptional: true },
  { name: "logic", member: "logic", type: "jsonb", isOptional: true },
  { name: "translations", member: "translations", type: "jsonb", isOptional: true },
];
const ids: readonly Column[] = [
  { name: "element_id", member: "elementId", type: "text" },
  { name: "question_id", member: "questionId", type: "text" },
];

const sql = contentSql(ids, columns, "e");

/** Of elements `e`. */
export const QUESTION_COLUMNS = sql.read;

/** Element `e` as a question of a definition. */
export const QUESTION_JSON = sql.json;

/** Columns of a question but its ids, and what they hold in a record `r` of `QUESTION_RECORD`. */
export const QUESTION_NAMES = sql.names;
export const QUESTION_VALUES = sql.values;
export const QUESTION_RECORD = sql.record;

/** A question as stored: null for members that it or its type does not have. */
export type StoredQuestion = Stored<Question>;

export const toQuestion = (stored: StoredQuestion): Question => sql.fromStored(stored);
