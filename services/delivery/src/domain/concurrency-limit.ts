export interface ConcurrencyLimit {
  readonly current: number;
  /** The endpoint responds quickly, or is untested. */
  readonly quick: boolean;
  /** It responded quickly to its last attempt. False before the first. */
  readonly sure: boolean;
  /** It responded to its last attempt, however slowly. False before the first. */
  readonly answers: boolean;
  observe(durationMs: number, answered: boolean): void;
}

const START = 10;
const FLOOR = 2;
const QUICK_MS = 1000;
const SLOW_MS = 3000;

/** Additive increase, multiplicative decrease, as in TCP, so that a hanging endpoint holds few connections. */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const floor = Math.min(FLOOR, max);
  let current = Math.min(START, max);
  let quick = true;
  let sure = false;
  let answers = false;
  return {
    get current() {
      return current;
    },
    get quick() {
      return quick;
    },
    get sure() {
      return sure;
    },
    get answers() {
      return answers;
    },
    observe(durationMs, answered) {
      answers = answered;
      quick = answered && durationMs < QUICK_MS;
      sure = quick;
      if (quick) current = Math.min(current + 1, max);
      else if (!answered || durationMs > SLOW_MS) current = Math.max(Math.floor(current / 2), floor);
    },
  };
}
