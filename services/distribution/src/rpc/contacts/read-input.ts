import { AppError } from "@canvass/errors";
import { refuseFaults, type ContactInput } from "@canvass/inputs";
import { isJsonObject, type JsonObject } from "@canvass/values";
import type { TSchema } from "typebox";
import { contactFaults } from "../../domain/contacts/contact-input.ts";

/** An HTTP body as an object whose fields are still to be judged. Throws `malformed_json` or `invalid_request`. */
export function readBody(json: string): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(json);
  } catch {
    throw new AppError("malformed_json");
  }
  if (!isJsonObject(body)) throw new AppError("invalid_request", { body: ["must be a JSON object"] });
  return body;
}

/** A contact's fields in a body. Throws `validation_failed` with every fault that shows without other contacts. */
export function readContactInput(schema: TSchema, json: string): ContactInput {
  const body = readBody(json);
  refuseFaults(contactFaults(schema, body));
  return body;
}
