import { Refusal } from "./refusal.ts";

const pauseMs = 4_000;

/**
 * Asks again after a pause if the server reports that something is gone or the session is invalid. A link reports that
 * for a moment while its deletion runs, and a single response must not discard data.
 */
export async function heardTwice<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.isFinal) throw error;
    await new Promise((resolve) => void setTimeout(resolve, pauseMs));
    return await ask();
  }
}
