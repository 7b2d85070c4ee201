/** The result of work that may be interrupted, done at one go: where nobody waits meanwhile. */
export function finish<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
