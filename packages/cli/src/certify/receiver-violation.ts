const MOST_CHARACTERS = 2048;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns the end of the sentence `url is "x", but it ...` for what cannot be a receiver (contract 8.4), except that
 * http is allowed on loopback.
 */
export function receiverViolation(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "is a URL such as https://example.com/hook";
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  if (text.length > MOST_CHARACTERS) return `must be at most ${MOST_CHARACTERS} characters long`;
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname)) return "must start with https:// except on localhost";
  return undefined;
}
