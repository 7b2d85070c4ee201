import { Refusal } from "./refusal.ts";

const pauseMs = 4_000;

/** Repeats a call after a final refusal, because a link reports one while its deletion is tried, which may yet be refused. */
export async function retryFinalRefusal<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.isFinal) throw error;
    await new Promise((resolve) => void setTimeout(resolve, pauseMs));
    return await ask();
  }
}
