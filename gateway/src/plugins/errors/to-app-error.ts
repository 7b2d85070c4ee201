import { AppError, type ErrorCode } from "@canvass/errors";

const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_BODY_TOO_LARGE: "payload_too_large",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "invalid_request",
  // The caller disconnected while sending its body.
  ECONNRESET: "invalid_request",
  FST_ERR_BAD_URL: "route_not_found",
  FST_ERR_MAX_PARAM_LENGTH: "route_not_found",
};

/** Returns undefined for a defect, which callers must not see. */
export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const { code } = error as { code?: unknown };
  const known = typeof code === "string" && Object.hasOwn(frameworkCodes, code) ? frameworkCodes[code] : undefined;
  return known && new AppError(known);
}
