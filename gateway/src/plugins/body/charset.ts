import { AppError } from "@canvass/errors";
import { MIMEType } from "node:util";

export const declaredCharset = (contentType: string | undefined): string => parameterOf(contentType, "charset");

function parameterOf(contentType: string | undefined, name: string): string {
  try {
    return new MIMEType(contentType ?? "").params.get(name)?.trim().toLowerCase() ?? "";
  } catch {
    return "";
  }
}

/** Without headings (`header=absent`, RFC 4180) an import would lose a row. Throws `unsupported_media_type`. */
export function requireHeadings(contentType: string | undefined): void {
  if (parameterOf(contentType, "header") !== "absent") return;
  const details = { "Content-Type.header": ["must be present: the first line has the headings"] };
  throw new AppError("unsupported_media_type", details, "The body has no headings.");
}

/** Returns the WHATWG name of a text file's charset, or "". Throws `unsupported_media_type` for an unknown one. */
export function textCharset(contentType: string | undefined): string {
  const charset = declaredCharset(contentType);
  try {
    return charset === "" ? "" : new TextDecoder(charset).encoding;
  } catch {
    throw unsupportedCharset("must be one of the WHATWG Encoding Standard, such as utf-8 or windows-1252");
  }
}

/** JSON is UTF-8 (RFC 8259, 8.1). Throws `unsupported_media_type` for any other charset. */
export function requireUtf8(contentType: string | undefined): void {
  const charset = declaredCharset(contentType);
  if (!["", "utf-8", "utf8", "us-ascii"].includes(charset)) throw unsupportedCharset("must be utf-8");
}

const unsupportedCharset = (message: string): AppError =>
  new AppError("unsupported_media_type", { "Content-Type.charset": [message] }, "The body's charset is not supported.");
