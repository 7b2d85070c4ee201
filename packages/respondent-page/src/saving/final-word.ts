import { Refusal } from "./refusal.ts";

const pauseMs = 4_000;

/**
 * Asks a second time, after a pause, where the server says that something is gone or a session of no use: a link whose
 * deletion is under way says so for a moment. Nothing is thrown away on the first word.
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
