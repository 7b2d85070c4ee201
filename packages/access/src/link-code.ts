import { randomText } from "./random-text.ts";

/** Length in base62 characters: 131 random bits. */
const codeLength = 22;

const shape = /^[0-9A-Za-z]{22}$/;

/** Creates the code of a link, as in `/s/{code}`. Whoever has it may respond. */
export function newLinkCode(): string {
  return randomText(codeLength);
}

/** Other text counts as absent without a query, because a NUL would fail a whole batch. */
export function isLinkCode(text: string): boolean {
  return shape.test(text);
}
