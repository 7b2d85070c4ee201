import { Refusal } from "./refusal.ts";

const pauseMs = 4_000;

/** Repeats a call that is refused as gone: a link is reported so while its deletion is tried, which may yet be refused. */
export async function retryGone<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.isGone) throw error;
    await new Promise((resolve) => void setTimeout(resolve, pauseMs));
    return await ask();
  }
}
