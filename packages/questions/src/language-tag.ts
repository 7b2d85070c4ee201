/** True for a well-formed BCP 47 language tag, such as `de` or `pt-BR`. */
export function isLanguageTag(text: string): boolean {
  if (text.length > 35) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
