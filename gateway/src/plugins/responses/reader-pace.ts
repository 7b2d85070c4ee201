export interface ReaderLimits {
  idleMs: number;
  /** Minimum average rate, enforced after the first `idleMs`. */
  bytesPerSecond: number;
}

/** Call it at intervals of `ms` while bytes wait for the reader. Returns true when the reader is too slow. */
export type ReaderPace = (ms: number, takenBytes: number) => boolean;

export function createReaderPace({ idleMs, bytesPerSecond }: ReaderLimits): ReaderPace {
  let [taken, idle, waited] = [0, 0, 0];
  return (ms, takenBytes) => {
    idle = takenBytes > taken ? 0 : idle + ms;
    waited += ms;
    taken = takenBytes;
    return idle >= idleMs || waited - idleMs > (taken / bytesPerSecond) * 1000;
  };
}
