import { AppError } from "@canvass/errors";

/** Returns an AppError instead of throwing it: the error of one item is a result of its batch. */
export async function orAppError<T>(work: Promise<T>): Promise<T | AppError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
