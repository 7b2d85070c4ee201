/** Contract 8.8. */
export const KEPT_BYTES = 256;

/** Returns the start of an answer as storable text: invalid UTF-8 and NUL become U+FFFD, a cut character is dropped. */
export function responseText(body: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  // A streaming decoder omits an incomplete character.
  const text = decoder.decode(body.subarray(0, KEPT_BYTES), { stream: body.length >= KEPT_BYTES });
  return text.replaceAll("\0", "\uFFFD");
}
