/** Whether a text has the form of an ISO 3166-1 alpha-2 code, in capitals. */
export function isCountryCode(text: string): boolean {
  return /^[A-Z]{2}$/.test(text);
}
