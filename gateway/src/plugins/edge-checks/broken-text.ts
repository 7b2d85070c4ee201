import type { Fault } from "@canvass/inputs";

// Only escaped can one come in a body that is UTF-8.
const escapedHalf = /\\u[dD][89a-fA-F]/;

/**
 * Adds a fault for every text of a body that holds half of a surrogate pair: a request message has no place for it, and
 * would carry another character instead.
 */
export function checkTexts(body: unknown, bodyText: string, faults: Fault[]): void {
  if (escapedHalf.test(bodyText)) visit(body, "", faults);
}

function visit(value: unknown, path: string, faults: Fault[]): void {
  if (typeof value === "string" && !value.isWellFormed()) {
    faults.push({ path: path || "body", message: "must not contain half of a surrogate pair" });
  }
  if (typeof value !== "object" || value === null) return;
  // A key that is broken is no field that anybody knows, and is named as that.
  for (const [key, item] of Object.entries(value)) visit(item, path === "" ? key : `${path}.${key}`, faults);
}
