import { AppError } from "@canvass/errors";
import { MIMEType } from "node:util";

/** The charset that a `Content-Type` declares, in small letters; empty: none. */
export const declaredCharset = (contentType: string | undefined): string => parameterOf(contentType, "charset");

function parameterOf(contentType: string | undefined, name: string): string {
  try {
    return new MIMEType(contentType ?? "").params.get(name)?.trim().toLowerCase() ?? "";
  } catch {
    return "";
  }
}

/** A table without headings (`header=absent`, RFC 4180) would lose its first row. Throws `unsupported_media_type`. */
export function requireHeadings(contentType: string | undefined): void {
  if (parameterOf(contentType, "header") !== "absent") return;
  const details = { "Content-Type.header": ["must be present: the first line has the headings"] };
  throw new AppError("unsupported_media_type", details, "The body has no headings.");
}

/** The charset of a text file as the WHATWG Encoding Standard names it; empty: none. Throws `unsupported_media_type` for another. */
export function textCharset(contentType: string | undefined): string {
  const charset = declaredCharset(contentType);
  try {
    return charset === "" ? "" : new TextDecoder(charset).encoding;
  } catch {
    throw unsupportedCharset("must be one of the WHATWG Encoding Standard, such as utf-8 or windows-1252");
  }
}

/** JSON is UTF-8 (RFC 8259, 8.1). Throws `unsupported_media_type` for another charset. */
export function requireUtf8(contentType: string | undefined): void {
  const charset = declaredCharset(contentType);
  if (!["", "utf-8", "utf8", "us-ascii"].includes(charset)) throw unsupportedCharset("must be utf-8");
}

const unsupportedCharset = (message: string): AppError =>
  new AppError("unsupported_media_type", { "Content-Type.charset": [message] }, "The body's charset is not supported.");
