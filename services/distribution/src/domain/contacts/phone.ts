import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/** Converts a number with country code to E.164, without a national zero in brackets; undefined if no plan has it. */
export function readPhone(text: string): string | undefined {
  const international = text.trim().replace(/^00/, "+");
  const number = parsePhoneNumberFromString(international, { extract: false });
  return number?.isPossible() && number.ext === undefined ? number.number : undefined;
}
