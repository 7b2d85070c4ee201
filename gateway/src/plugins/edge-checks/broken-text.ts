import type { Fault } from "@canvass/inputs";

// In UTF-8 it can only be escaped.
const escapedHalf = /\\u[dD][89a-fA-F]/;

/** Adds a fault for every text with half a surrogate pair: a request message cannot carry it. */
export function checkTexts(body: unknown, bodyText: string, faults: Fault[]): void {
  if (escapedHalf.test(bodyText)) visit(body, "", faults);
}

function visit(value: unknown, path: string, faults: Fault[]): void {
  if (typeof value === "string" && !value.isWellFormed()) {
    faults.push({ path: path || "body", message: "must not contain half of a surrogate pair" });
  }
  if (typeof value !== "object" || value === null) return;
  // A broken key is an unknown field, and refused as such.
  for (const [key, item] of Object.entries(value)) visit(item, path === "" ? key : `${path}.${key}`, faults);
}
