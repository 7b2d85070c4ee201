import { isJsonObject, isSameJson, ownValue, type JsonObject } from "@canvass/values";
import type { TObject, TSchema } from "typebox";

/** Returns the settings that differ from their defaults, in the order of the schema; undefined if none does. */
export function sparseSettings(schema: TObject, settings: JsonObject): JsonObject | undefined {
  const sparse: JsonObject = {};
  for (const [key, property] of Object.entries<TSchema>(schema.properties)) {
    const value = ownValue(settings, key);
    const chosen = "properties" in property && isJsonObject(value) ? sparseSettings(property as TObject, value) : value;
    const { default: usual } = property as { default?: unknown };
    if (chosen !== undefined && !isSameJson(chosen, usual)) sparse[key] = chosen;
  }
  return Object.keys(sparse).length > 0 ? sparse : undefined;
}
