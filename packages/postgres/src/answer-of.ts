import type { QueryResult } from "pg";

export type Answered = (error: Error | null, result?: QueryResult) => void;

/** The answer that `ask` passes on. The stack of its error leads to who asked, as with pg's own promises. */
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
