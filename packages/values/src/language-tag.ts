/** A language tag of BCP 47 (RFC 5646, 2.1) without extensions or private use, such as `de` or `ca-ES-valencia`. */
export const languageTagPattern =
  "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?$";

const languageTag = new RegExp(languageTagPattern, "u");

export function isLanguageTag(text: string): boolean {
  return languageTag.test(text);
}
