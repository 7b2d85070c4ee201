/** Bytes of an answer that the delivery log keeps (contract 8.8). */
export const KEPT_BYTES = 256;

/**
 * The start of an answer as text that any database can store: invalid UTF-8 and NUL become U+FFFD, and a character
 * that the limit cuts in two is dropped.
 */
export function responseText(body: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  // As a stream: without its end, a character that is not complete yet is not given out.
  const text = decoder.decode(body.subarray(0, KEPT_BYTES), { stream: body.length >= KEPT_BYTES });
  return text.replaceAll("\0", "\uFFFD");
}
