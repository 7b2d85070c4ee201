/** A clock that moves only by `advance` and `set`. Pass `clock.now` where code takes `() => Date`. */
export interface FixedClock {
  now: () => Date;
  advance(milliseconds: number): void;
  set(timestamp: Date | string): void;
}

/** `start`: a Date or an ISO 8601 text. */
export function fixedClock(start: Date | string): FixedClock {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    advance(milliseconds) {
      time += milliseconds;
    },
    set(timestamp) {
      time = new Date(timestamp).getTime();
    },
  };
}
