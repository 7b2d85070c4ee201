import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/**
 * A phone number with its country, as people write it, in E.164: a national zero in brackets is left out. Undefined where no
 * numbering plan has such a number.
 */
export function readPhone(text: string): string | undefined {
  const international = text.trim().replace(/^00/, "+");
  const number = parsePhoneNumberFromString(international, { extract: false });
  return number?.isPossible() && number.ext === undefined ? number.number : undefined;
}
