export interface PaceLimits {
  idleMs: number;
  /** Minimum average rate, enforced after the first `idleMs`. */
  bytesPerSecond: number;
}

/**
 * Call it every `ms` while the other side may move bytes, with the bytes moved since the start. Returns true when that
 * side is too slow.
 */
export type TransferPace = (ms: number, movedBytes: number) => boolean;

/** Detects a slow reader or sender: one that moves nothing for `idleMs`, or too little on average. */
export function createTransferPace({ idleMs, bytesPerSecond }: PaceLimits): TransferPace {
  let [moved, idle, waited] = [0, 0, 0];
  return (ms, movedBytes) => {
    idle = movedBytes > moved ? 0 : idle + ms;
    waited += ms;
    moved = movedBytes;
    return idle >= idleMs || waited - idleMs > (moved / bytesPerSecond) * 1000;
  };
}
