import type { QueryResult } from "pg";

export type Answered = (error: Error | null, result?: QueryResult) => void;

/** Returns the result that `ask` passes to its callback. Sets an error's stack to the caller's, as pg's promises do. */
export async function answerOf(ask: (answered: Answered) => void): Promise<QueryResult> {
  try {
    return await new Promise((resolve, reject) => {
      ask((error, result) => (error ? reject(error) : resolve(result!)));
    });
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
