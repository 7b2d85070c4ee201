/**
 * A language with a script, a region and a variant, of BCP 47 (RFC 5646, 2.1), such as `de`, `zh-Hant-TW` or
 * `ca-ES-valencia`. Extensions and private use say nothing about a survey's language. Also for documents.
 */
export const languageTagPattern =
  "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?$";

const languageTag = new RegExp(languageTagPattern, "u");

/** True for a well-formed language tag. */
export function isLanguageTag(text: string): boolean {
  return languageTag.test(text);
}
