import { isJsonObject, type JsonObject } from "@canvass/values";
import { fileRefused } from "./file-refused.ts";

const deepest = 200;

/** Reads a file with one JSON object. Throws `validation_failed`. */
export function readJson(file: Uint8Array): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(file));
  } catch (error) {
    throw fileRefused(`is no JSON: ${error instanceof Error ? error.message.slice(0, 200) : "it cannot be read"}`);
  }
  if (!isJsonObject(value)) throw fileRefused("must be a JSON object");
  if (depthOf(value) > deepest) throw fileRefused("is nested too deeply");
  return value;
}

function depthOf(value: unknown, above = 0): number {
  if (typeof value !== "object" || value === null || above > deepest) return above;
  let depth = above;
  for (const each of Object.values(value)) depth = Math.max(depth, depthOf(each, above + 1));
  return depth;
}
