import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/**
 * Converts a phone number with its country code, as people write it, to E.164. Drops a national zero in brackets.
 * Returns undefined if no numbering plan has such a number.
 */
export function readPhone(text: string): string | undefined {
  const international = text.trim().replace(/^00/, "+");
  const number = parsePhoneNumberFromString(international, { extract: false });
  return number?.isPossible() && number.ext === undefined ? number.number : undefined;
}
