import { AppError } from "@canvass/errors";

/**
 * Returns the replay of a write that is no longer possible. `sent` is the write without the id of its survey, which
 * allows nothing but a replay. Throws violations of its body, else `refusal` (the order of contract 1.7).
 */
export async function replayOrRefuse<Answer>(sent: Promise<Answer>, refusal: unknown): Promise<Answer> {
  try {
    return await sent;
  } catch (error) {
    throw error instanceof AppError && error.code !== "survey_not_found" ? error : refusal;
  }
}
