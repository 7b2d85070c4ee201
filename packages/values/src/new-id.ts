const EPOCH = Date.UTC(2020, 0, 1);
const DAY_MS = 86_400_000;
const HALF_LENGTH = 8;
/** Number of values of half an id. As milliseconds since 2020 it lasts until 2109. */
const HALF_RANGE = 36 ** HALF_LENGTH;
const MAX_STEP = 65_536;

let lastTime = -1;
let lastTail = 0;
let lastReserved = 0;
let lastPrefix = "";

/**
 * Returns a new id of 16 characters [0-9a-z]: eight for the milliseconds since 2020-01-01 UTC, eight random.
 * Consecutive ids of one millisecond increase strictly; the next one skips `reserved` values. A date at midnight UTC
 * gets a random time of its day, for anonymity. Throws a RangeError before 2020 or after 2109.
 */
export function newId(now: Date, reserved = 0): string {
  const time = now.getTime() - EPOCH;
  // The negation also catches an invalid date (NaN).
  if (!(time >= 0 && time < HALF_RANGE - DAY_MS))
    throw new RangeError(`no id can be made for the date ${now.getTime()}`);
  if (time % DAY_MS === 0) {
    return half(time + (random52() % DAY_MS)) + half(random52() % (HALF_RANGE - reserved));
  }
  if (time === lastTime) {
    lastTail += lastReserved + 1 + (random52() % MAX_STEP);
  } else {
    lastTime = time;
    lastPrefix = half(time);
    // Leave the last sixteenth free for about five million further ids of this millisecond.
    lastTail = random52() % (HALF_RANGE - HALF_RANGE / 16);
  }
  lastReserved = reserved;
  if (lastTail + reserved >= HALF_RANGE) throw new RangeError("too many ids of one millisecond");
  return lastPrefix + half(lastTail);
}

/** Returns the creation time of an id; for an anonymous id, a random time of its day. */
export function timeOfId(id: string): Date {
  return new Date(EPOCH + Number.parseInt(id.slice(0, HALF_LENGTH), 36));
}

/** Returns the lowest id of a time, to compare ids with it. A time that no id has gives the nearest id. */
export function firstIdOf(time: Date): string {
  const sinceEpoch = Math.min(Math.max(time.getTime() - EPOCH, 0), HALF_RANGE - 1);
  return half(sinceEpoch) + half(0);
}

function half(value: number): string {
  return value.toString(36).padStart(HALF_LENGTH, "0");
}

const pool = new Uint32Array(4096);
let used = pool.length;

/** Fetches random bytes in bulk: one call of the generator serves 2,048 numbers. */
function random52(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const high = pool[used++] ?? 0;
  const low = pool[used++] ?? 0;
  return (high >>> 12) * 2 ** 32 + low;
}
