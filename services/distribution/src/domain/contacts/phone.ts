import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/** Converts a number with a country code to E.164. Returns undefined if no numbering plan may contain it. */
export function readPhone(text: string): string | undefined {
  const international = text.trim().replace(/^00/, "+");
  const number = parsePhoneNumberFromString(international, { extract: false });
  return number?.isPossible() && number.ext === undefined ? number.number : undefined;
}
