export { AppError, orAppError, type ErrorDetails } from "./app-error.ts";
export { errorCatalogue, isErrorCode, type ErrorCode, type ErrorDefinition } from "./catalogue.ts";
export { notCollectingReasons, type NotCollectingReason } from "./not-collecting-reasons.ts";
