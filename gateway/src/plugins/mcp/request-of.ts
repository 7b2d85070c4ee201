import { AppError } from "@canvass/errors";
import { groupViolations, type Violation } from "@canvass/inputs";
import { containsInfinity, infinityMessage } from "@canvass/values";
import type { Operation } from "./operations.ts";
import { headerOf, type Place } from "./tool-schemas.ts";

export interface RouteRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

const visible = /^[\x20-\x7e]*$/;

/**
 * Puts a tool's arguments where the operation expects them. Unknown ones are included, so that the operation refuses
 * them. Throws AppError for a header that HTTP cannot carry, and for a number that JSON cannot.
 */
export function requestOf(
  { method, url, schema }: Operation,
  places: ReadonlyMap<string, Place>,
  given: Record<string, unknown>,
): RouteRequest {
  const hasBody = schema.body !== undefined;
  const all = Object.entries(given);
  const inPart = (part: Place) => all.filter(([name]) => (places.get(name) ?? (hasBody ? "body" : "query")) === part);
  // Clients write null for a parameter that they leave out.
  const at = (part: Place) => inPart(part).filter(([, value]) => value !== null);
  const ids = new Map(at("path"));
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(textOf(ids.get(name) ?? "")));
  const query = new URLSearchParams(at("query").map(([name, value]) => [name, textOf(value)])).toString();
  const headers = Object.fromEntries(at("header").map(([name, value]) => [headerOf[name]!, textOf(value)]));
  const violations: Violation[] = [
    ...Object.keys(headers)
      .filter((name) => !visible.test(headers[name]!))
      .map((path) => ({ path, message: "must have visible ASCII characters only" })),
    // JSON would carry them as null, which means something else.
    ...all.filter(([, value]) => containsInfinity(value)).map(([path]) => ({ path, message: infinityMessage })),
  ];
  if (violations.length > 0) throw new AppError("validation_failed", groupViolations(violations));
  const target = { method, path: query === "" ? path : `${path}?${query}`, headers };
  if (!hasBody) return target;
  headers["content-type"] = "application/json";
  return { ...target, body: JSON.stringify(Object.fromEntries(inPart("body"))) };
}

const textOf = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed();
