import { AppError } from "@canvass/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isUtf8 } from "node:buffer";
import secureJson from "secure-json-parse";

/** Bytes of the largest body (api-decisions 1). */
export const maxBodyBytes = 1_048_576;
// More than any request of the API needs, and few enough for whoever walks through a body recursively.
const maxNesting = 64;

/**
 * Reads bodies: JSON only, kept as it came beside the parsed value, because services judge the text itself and
 * idempotency compares the bytes.
 */
export function bodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    try {
      done(null, readBody(request, bytes));
    } catch (error) {
      done(error as Error);
    }
  });
}

function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") throw new AppError("unsupported_media_type");
  request.bodyBytes = bytes;
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new AppError("malformed_json");
  request.bodyText = withoutByteOrderMark(bytes.toString());
  return parse(request.bodyText);
}

const withoutByteOrderMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text);

function parse(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError("malformed_json");
  }
  if (isNestedDeeperThan(maxNesting, text)) {
    throw new AppError("invalid_request", {}, `The body is nested deeper than ${maxNesting} levels.`);
  }
  refusePrototypeKeys(text, value);
  return value;
}

// Most bodies name neither key, escaped or not, and are done with one cheap look.
const suspicious = /\\u|__proto__|constructor/;

function refusePrototypeKeys(text: string, value: unknown): void {
  if (!suspicious.test(text) || typeof value !== "object" || value === null) return;
  try {
    secureJson.scan(value, { protoAction: "error", constructorAction: "error" });
  } catch {
    const message = "The body uses a key that is not allowed: `__proto__`, or `prototype` inside `constructor`.";
    throw new AppError("invalid_request", {}, message);
  }
}

/** Whether well-formed JSON has more than that many brackets open at once. */
export function isNestedDeeperThan(most: number, json: string): boolean {
  let open = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (inText) {
      if (character === backslash) at += 1;
      else if (character === quote) inText = false;
    } else if (character === quote) inText = true;
    else if (character === openBracket || character === openBrace) {
      open += 1;
      if (open > most) return true;
    } else if (character === closeBracket || character === closeBrace) open -= 1;
  }
  return false;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
