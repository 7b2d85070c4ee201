import type { JsonObject } from "@canvass/values";
import type { Asked } from "../asked.ts";
import { objectAt } from "../json-values.ts";
import type { DraftElement } from "../questionnaire.ts";
import { plainCell, type SheetRow } from "./columns.ts";

interface Limits {
  part: RegExp;
  settings: { ">=": string; "<=": string };
}
const bounds = { ">=": "min", "<=": "max" };
const limitsOf: Record<string, Limits> = {
  choices: {
    part: /^\(?count-selected\(\s*\.\s*\)\s*(>=|<=)\s*(\d{1,3})\)?$/,
    settings: { ">=": "minSelections", "<=": "maxSelections" },
  },
  number: { part: /^\(?\.\s*(>=|<=)\s*(-?\d{1,15}(?:\.\d{1,15})?)\)?$/, settings: bounds },
  date: { part: /^\(?\.\s*(>=|<=)\s*(?:date\()?'([^']+)'\)?\)?$/, settings: bounds },
};

/**
 * Reads a constraint that only limits the answer as settings of the question; one of a number or a date only if it has
 * no message. Returns whether it was one.
 */
export function readLimits(row: SheetRow, element: DraftElement, { kind }: Asked): boolean {
  const limits = element.type === "slider" || element.type === "rating" ? undefined : limitsOf[kind];
  if (!limits || (kind !== "choices" && row.cells.has("constraint_message"))) return false;
  const parts = plainCell(row, "constraint")
    .split(/\sand\s/)
    .map((part) => limits.part.exec(part.trim()));
  const settings: JsonObject = {};
  for (const part of parts) {
    const [, sign, value] = part ?? [];
    if (sign !== ">=" && sign !== "<=") return false;
    settings[limits.settings[sign]] = kind === "date" ? value : Number(value);
  }
  if (Object.keys(settings).length < parts.length) return false;
  element["typeSettings"] = { ...objectAt(element, "typeSettings"), ...settings };
  return true;
}
