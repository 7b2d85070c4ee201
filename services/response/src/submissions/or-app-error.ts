import { AppError } from "@canvass/errors";

/** The outcome of work whose AppError is a result and no failure yet: of one item of a batch, or behind a later step. */
export async function orAppError<T>(work: Promise<T>): Promise<T | AppError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
