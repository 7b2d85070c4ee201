import { errorCatalogue, type ErrorCode } from "./catalogue.ts";

export type ErrorDetails = Record<string, unknown>;

/** The error that domain code throws. Any other error is a defect, hidden from the caller. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, message: string = errorCatalogue[code].message) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.details = details;
  }
}

/** Returns an AppError instead of throwing it, for a result that is needed later or in a batch. */
export async function orAppError<T>(work: Promise<T>): Promise<T | AppError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
