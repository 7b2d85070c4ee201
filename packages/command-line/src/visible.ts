const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Control characters, and those that reorder the text after them. */
const steering = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Replaces control characters but line breaks, so that text stored by others cannot control the terminal. */
export const visible = (text: string): string =>
  text.replaceAll(steering, (found) => (found === "\n" ? found : "\uFFFD"));

/** Returns a value as one line of JSON that shows on a terminal without any harm, and loses nothing. */
export const jsonLine = (value: unknown): string => JSON.stringify(value).replaceAll(steering, escaped);
