import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { base62, randomText } from "./random-text.ts";

/** 36 characters of base62: 214 random bits. */
const randomLength = 36;
/** Six base62 digits hold every 32-bit checksum. */
const checksumLength = 6;
const shape = /^cvs_(live|test)_[0-9A-Za-z]{42}$/;

/** Creates a token value (contract 4.2). By its CRC-32 typos are refused without a query, and scanners find leaked values. */
export function newTokenValue(live: boolean, random: (size: number) => Uint8Array = randomBytes): string {
  const body = `cvs_${live ? "live" : "test"}_${randomText(randomLength, random)}`;
  return body + checksum(body);
}

export function isTokenValue(text: string): boolean {
  return shape.test(text) && text.endsWith(checksum(text.slice(0, -checksumLength)));
}

export function tokenSha256(value: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(value).digest());
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  while (digits.length < checksumLength) {
    digits = base62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
