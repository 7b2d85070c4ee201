import { longestWebhookUrl } from "@canvass/inputs";

export type ParsedWebhookUrl = { url: URL } | { problems: string[] };

/** Validates the form of a webhook's URL (contract 8.4). The sender's `checkDestination` checks its addresses. */
export function parseWebhookUrl(text: string): ParsedWebhookUrl {
  const problems: string[] = [];
  if (text.length > longestWebhookUrl) problems.push(`must be at most ${longestWebhookUrl} characters long`);
  // The URL parser repairs these without an error.
  if (/[\s\p{Cc}\\]/u.test(text)) problems.push("must not contain spaces, control characters or backslashes");
  const url = URL.parse(text);
  if (url === null) return { problems: [...problems, ...unreadable(text)] };
  if (!/^https:\/\/[^/]/i.test(text)) problems.push("must start with https://");
  if (url.port === "0") problems.push("must not have port 0, at which nothing listens");
  // The parser drops an empty user name and password.
  if (url.username !== "" || url.password !== "" || /^https:\/\/[^/?#]*@/i.test(text)) {
    problems.push("must not contain a user name or password");
  }
  return problems.length > 0 ? { problems } : { url };
}

function unreadable(text: string): string[] {
  if (text === "") return ["must be an absolute https URL; leave it out for an event feed"];
  const port = /^https:\/\/[^/?#]*?:(\d+)(?:[/?#]|$)/i.exec(text)?.[1];
  if (port !== undefined && Number(port) > 65_535) return ["has a port beyond 65535"];
  return ["must be an absolute https URL"];
}

/**
 * Returns the same text for URLs that differ only in the host's case or final dot, default port, fragment or escapes
 * (RFC 3986, 6.2.2).
 */
export function webhookUrlKey(url: URL): string {
  const port = url.port === "" ? "" : `:${url.port}`;
  return `https://${destinationHost(url)}${port}${normalizeEscapes(url.pathname + url.search)}`;
}

export function destinationHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

export function destinationPort(url: URL): number {
  return url.port === "" ? 443 : Number(url.port);
}

function normalizeEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape.toUpperCase();
  });
}
