import { getDomain } from "tldts";

/** Letters, digits, hyphens and dots, or a bracketed address: nothing that could end a source in a policy or header. */
const ORIGIN = /^https?:\/\/(?:(?<wide>\*\.)?(?<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*)|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/;

/**
 * True for an origin as browsers write it. `https://*.example.com` matches all hosts below a registered domain; a
 * wildcard below a public suffix, such as `*.co.uk`, is refused (publicsuffix.org).
 */
export function isEmbeddingOrigin(text: string): boolean {
  const found = ORIGIN.exec(text);
  if (!found || URL.parse(text)?.origin !== text) return false;
  const { wide, host = "" } = found.groups ?? {};
  return wide === undefined || getDomain(host, { allowPrivateDomains: true }) !== null;
}
