import { randomBytes } from "node:crypto";

export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns random base62 characters, 5.95 bits each. `random(size)` returns `size` random bytes. */
export function randomText(length: number, random: (size: number) => Uint8Array = randomBytes): string {
  let text = "";
  while (text.length < length) {
    for (const byte of random(length)) {
      // 248 is the largest multiple of 62 that fits a byte; higher bytes would favor the first characters.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}
