export function isCountryCode(text: string): boolean {
  return /^[A-Z]{2}$/.test(text);
}
