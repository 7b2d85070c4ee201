import { AppError } from "@canvass/errors";

/** The survey changed since its answers were counted or held off. */
export class Overtaken extends Error {}

const mostAttempts = 5;

/** Repeats `attempt` while others overtake it. Throws `service_unavailable` if they always do. */
export async function retryIfOvertaken<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let left = mostAttempts; left > 0; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
  throw new AppError("service_unavailable");
}
