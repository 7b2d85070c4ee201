import { AppError } from "@canvass/errors";
import { isJsonObject, type JsonObject } from "@canvass/values";
import type { Static, TObject, TSchema } from "typebox";
import { shapeViolations } from "./check-shape.ts";
import { violationAt, refuseViolations, validationFailed } from "./violations.ts";

/** Parses and validates a body (contract 2.1). Throws `validation_failed`, and as parseBody and requireUpdates do. */
export function readBody<Schema extends TObject>(schema: Schema, json: string): Static<Schema> {
  const body = readObject(json);
  requireUpdates(schema, body);
  refuseViolations(shapeViolations(schema, body));
  return body as Static<Schema>;
}

/** Parses a body. Throws `validation_failed` unless it is an object, and the errors of `parseBody`. */
export function readObject(json: string): JsonObject {
  const body = parseBody(json);
  if (!isJsonObject(body)) throw validationFailed(violationAt("body", "must be an object"));
  return body;
}

/**
 * Throws `malformed_json`, or `service_unavailable` for "". An empty body comes from a gateway of version 0.1.0, which
 * sends fields instead; its caller should retry.
 */
export function parseBody(json: string): unknown {
  if (json === "") throw new AppError("service_unavailable");
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new AppError("malformed_json");
  }
}

/** Throws `invalid_request` if an update names nothing to change (contract 2.4). */
export function requireUpdates(schema: TSchema, body: JsonObject): void {
  const { minProperties = 0, properties = {} } = schema as { minProperties?: number; properties?: object };
  if (minProperties === 0 || Object.keys(body).length > 0) return;
  const names = Object.keys(properties).join(", ");
  throw new AppError("invalid_request", { body: [`must name at least one of ${names}`] });
}
