import { AppError } from "@canvass/errors";
import { isJsonObject, type JsonObject } from "@canvass/values";

/** The HTTP body as an object whose fields are still to be judged. Throws `malformed_json` or `invalid_request`. */
export function readBody(json: string): JsonObject {
  const body = parse(json);
  if (!isJsonObject(body)) throw new AppError("invalid_request", { body: ["must be a JSON object"] });
  return body;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new AppError("malformed_json");
  }
}
