import { randomText } from "./random-text.ts";

/** Of base62: 131 random bits. */
const codeLength = 22;

const shape = /^[0-9A-Za-z]{22}$/;

/** A new code of a link, as in `/s/{code}`: whoever has it may answer. */
export function newLinkCode(): string {
  return randomText(codeLength);
}

/** Whether text can be a code of a link. Anything else is absent without a query: one NUL would fail a whole batch. */
export function isLinkCode(text: string): boolean {
  return shape.test(text);
}
