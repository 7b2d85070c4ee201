import { AppError } from "@canvass/errors";

/**
 * Calls `ask` and waits for its result, unless the last call that ended exceeded its deadline. Then callers get
 * `otherwise` at once, and one of their calls at a time goes on beside them, until one ends in time. Rejects as `ask`
 * does.
 */
export function unlessHanging<Item, Result>(
  ask: (item: Item) => Promise<Result>,
  otherwise: Result,
): (item: Item) => Promise<Result> {
  let isHanging = false;
  let isTrying = false;

  async function call(item: Item): Promise<Result> {
    try {
      const result = await ask(item);
      isHanging = false;
      return result;
    } catch (error) {
      isHanging = error instanceof AppError && error.code === "deadline_exceeded";
      throw error;
    }
  }

  async function tryAgain(item: Item): Promise<void> {
    isTrying = true;
    try {
      await call(item);
    } catch {
      // The next caller tries again.
    } finally {
      isTrying = false;
    }
  }

  return async (item) => {
    if (!isHanging) return call(item);
    if (!isTrying) void tryAgain(item);
    return otherwise;
  };
}
