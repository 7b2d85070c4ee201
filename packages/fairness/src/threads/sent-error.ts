import { AppError, isErrorCode } from "@canvass/errors";

/** An error as data, as it crosses to another thread. */
export interface SentError {
  code?: string;
  details?: AppError["details"];
  message: string;
  stack: string | undefined;
  /** Message of the cause. */
  cause: string | undefined;
}

export function toSentError(error: unknown): SentError {
  const { message, stack, cause } = error instanceof Error ? error : new Error(String(error));
  const app = error instanceof AppError ? { code: error.code, details: error.details } : {};
  return { ...app, message, stack, cause: cause instanceof Error ? cause.message : undefined };
}

/** Makes an error like the thrown one. Only an AppError keeps its class. */
export function fromSentError({ code, details, message, stack, cause }: SentError): Error {
  const error = code && isErrorCode(code) ? new AppError(code, details, message) : new Error(message);
  if (stack) error.stack = stack;
  if (cause) error.cause = cause;
  return error;
}
