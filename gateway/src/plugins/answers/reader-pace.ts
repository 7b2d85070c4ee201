export interface ReaderLimits {
  /** Milliseconds that a reader may take nothing. */
  idleMs: number;
  /** What it must take on the whole, once it has read for as long. */
  bytesPerSecond: number;
}

/** Judges a reader: called while bytes wait for it, with the time since the last call and all it has taken. True: too slow. */
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
