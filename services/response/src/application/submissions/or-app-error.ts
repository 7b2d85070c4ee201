import { AppError } from "@canvass/errors";
import type { ResponseContext } from "../../context.ts";

/** Returns an AppError instead of throwing it: the error of one item is a result of its batch. */
export async function orAppError<T>(work: Promise<T>): Promise<T | AppError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Like `orAppError`. Unexpected errors are logged and become this item's error, so that the batch continues. */
export async function orOwnError<T>(
  { recognizeError, log }: Pick<ResponseContext, "recognizeError" | "log">,
  work: Promise<T>,
): Promise<T | AppError> {
  try {
    return await orAppError(work);
  } catch (err) {
    const known = recognizeError(err);
    if (!known) log.error({ err }, "an item of a batch failed unexpectedly");
    return known ?? new AppError("internal_error");
  }
}
