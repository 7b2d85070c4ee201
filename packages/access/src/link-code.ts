import { randomText } from "./random-text.ts";

const codeLength = 22;

const shape = /^[0-9A-Za-z]{22}$/;

/** Creates the code of a link, as in `/s/{code}`. Everyone who knows the code may respond. */
export function newLinkCode(): string {
  return randomText(codeLength);
}

/** Whether a text has the form of a code. Check it before a query: a NUL character fails the whole batch. */
export function isLinkCode(text: string): boolean {
  return shape.test(text);
}
