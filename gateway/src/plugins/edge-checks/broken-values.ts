import { type Fault } from "@canvass/inputs";
import { infinite } from "@canvass/values";

// In UTF-8 it can only be escaped.
const escapedHalf = /\\u[dD][89a-fA-F]/;
// What a number beyond the largest one is written with.
const manyDigits = /[eE]\+?\d{2}|\d{300}/;

/**
 * Adds a fault for what a request message cannot carry: every text with half a surrogate pair, and every number beyond
 * the largest one, which would arrive as null or as an empty text.
 */
export function checkValues(body: unknown, bodyText: string, faults: Fault[]): void {
  if (escapedHalf.test(bodyText) || manyDigits.test(bodyText)) visit(body, "", faults);
}

function visit(value: unknown, path: string, faults: Fault[]): void {
  if (typeof value === "string" && !value.isWellFormed()) {
    faults.push({ path: path || "body", message: "must not contain half of a surrogate pair" });
  }
  if (typeof value === "number" && !Number.isFinite(value)) faults.push({ path: path || "body", message: infinite });
  if (typeof value !== "object" || value === null) return;
  // A broken key is an unknown field, and refused as such.
  for (const [key, item] of Object.entries(value)) visit(item, path === "" ? key : `${path}.${key}`, faults);
}
