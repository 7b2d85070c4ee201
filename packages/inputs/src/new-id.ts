const EPOCH = Date.UTC(2020, 0, 1);
const DAY_MS = 86_400_000;
const HALF_LENGTH = 8;
/** 36^8: the values one half of an id can hold; as milliseconds it reaches the year 2109. */
const HALF_RANGE = 36 ** HALF_LENGTH;
const MAX_STEP = 65_536;

let lastTime = -1;
let lastTail = 0;
let lastRoom = 0;
let lastPrefix = "";

/**
 * A new id: 16 characters of [0-9a-z], eight for the milliseconds since 2020-01-01 UTC and eight random ones, so ids
 * sort by creation time and inserts stay local in an index. Within one process ids of the same millisecond strictly
 * increase.
 * A date that is only a day (midnight UTC) gives an id that reveals nothing but the day: the moment within it is
 * random and successive ids are in no order, which is what full anonymity asks for.
 * `room`: that many steps after it, counted in its last eight characters, are no id this process makes in its
 * millisecond, so the caller may count further ids from it.
 * Throws a RangeError for dates before 2020 or after 2109.
 */
export function newId(now: Date, room = 0): string {
  const time = now.getTime() - EPOCH;
  // The negation also catches an invalid date, whose time is NaN.
  if (!(time >= 0 && time < HALF_RANGE - DAY_MS))
    throw new RangeError(`no id can be made for the date ${now.getTime()}`);
  if (time % DAY_MS === 0) {
    return half(time + (random52() % DAY_MS)) + half(random52() % (HALF_RANGE - room));
  }
  if (time === lastTime) {
    lastTail += lastRoom + 1 + (random52() % MAX_STEP);
  } else {
    lastTime = time;
    lastPrefix = half(time);
    // The last sixteenth is left free to grow into: five million ids of one millisecond, without room.
    lastTail = random52() % (HALF_RANGE - HALF_RANGE / 16);
  }
  lastRoom = room;
  if (lastTail + room >= HALF_RANGE) throw new RangeError("too many ids of one millisecond");
  return lastPrefix + half(lastTail);
}

function half(value: number): string {
  return value.toString(36).padStart(HALF_LENGTH, "0");
}

const pool = new Uint32Array(4096);
let used = pool.length;

/** 52 random bits. One call into the system's generator serves two thousand ids. */
function random52(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const high = pool[used++] ?? 0;
  const low = pool[used++] ?? 0;
  return (high >>> 12) * 2 ** 32 + low;
}
