/**
 * A language tag with script, region and variant of BCP 47 (RFC 5646, 2.1), such as `de`, `zh-Hant-TW` or
 * `ca-ES-valencia`; no extensions or private use. Also used in API documents.
 */
export const languageTagPattern =
  "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?$";

const languageTag = new RegExp(languageTagPattern, "u");

export function isLanguageTag(text: string): boolean {
  return languageTag.test(text);
}
