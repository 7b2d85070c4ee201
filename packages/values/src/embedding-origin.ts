import { getDomain } from "tldts";

/** Letters, digits, hyphens and dots, or an address in brackets: nothing that ends a source of a policy or a header. */
const ORIGIN = /^https?:\/\/(?:(?<wide>\*\.)?(?<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*)|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/;

/**
 * Whether a text is an origin as browsers write it. `https://*.example.com` stands for all hosts below a name that somebody
 * registered; what others register below, such as `*.co.uk`, is nobody's (publicsuffix.org).
 */
export function isEmbeddingOrigin(text: string): boolean {
  const found = ORIGIN.exec(text);
  if (!found || URL.parse(text)?.origin !== text) return false;
  const { wide, host = "" } = found.groups ?? {};
  return wide === undefined || getDomain(host, { allowPrivateDomains: true }) !== null;
}
