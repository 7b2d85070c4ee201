/** Bytes of a response that are stored (contract 8.8). */
export const KEPT_BYTES = 256;

const createDecoder = () => new TextDecoder("utf-8", { ignoreBOM: true });
const whole = createDecoder();

/** Returns the start of a response, storable: invalid UTF-8 and NUL become U+FFFD, a cut character is dropped. */
export function responseText(body: Uint8Array): string {
  // A streaming decoder omits an incomplete character and stores it for later, so it cannot be reused.
  const text =
    body.length < KEPT_BYTES
      ? whole.decode(body)
      : createDecoder().decode(body.subarray(0, KEPT_BYTES), { stream: true });
  return text.replaceAll("\0", "\uFFFD");
}
