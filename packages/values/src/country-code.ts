/** True for two capital letters, the form of an ISO 3166-1 alpha-2 code. */
export function isCountryCode(text: string): boolean {
  return /^[A-Z]{2}$/.test(text);
}
