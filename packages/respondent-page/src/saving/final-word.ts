import { Refusal } from "./refusal.ts";

const pauseMs = 4_000;

/** Asks twice before a final refusal: a link reports one for a moment while its deletion runs. */
export async function heardTwice<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.isFinal) throw error;
    await new Promise((resolve) => void setTimeout(resolve, pauseMs));
    return await ask();
  }
}
