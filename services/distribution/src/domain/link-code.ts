import { randomText } from "@canvass/access";
import type { DistributorType } from "@canvass/inputs";

/** Of base62: 131 random bits. */
const codeLength = 22;

const shape = /^[0-9A-Za-z]{22}$/;

/** A new code of a link, as in `/s/{code}`: whoever has it may answer. */
export function newCode(): string {
  return randomText(codeLength);
}

/** Whether text can be a code. Anything else is absent without a query. */
export function isCode(text: string): boolean {
  return shape.test(text);
}

/** Whether everybody comes by the same code; else each person has a link of their own. */
export function sharesCode(type: DistributorType): boolean {
  return type === "link" || type === "embed";
}
