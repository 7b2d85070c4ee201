import { getDomain } from "tldts";

/** Admits no character that could end a source in a policy or header. */
const ORIGIN = /^https?:\/\/(?:(?<wide>\*\.)?(?<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*)|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/;

/** True for an origin as browsers write it. `*.` before a public suffix like `co.uk` is invalid (publicsuffix.org). */
export function isEmbeddingOrigin(text: string): boolean {
  const found = ORIGIN.exec(text);
  if (!found || URL.parse(text)?.origin !== text) return false;
  const { wide, host = "" } = found.groups ?? {};
  return wide === undefined || getDomain(host, { allowPrivateDomains: true }) !== null;
}
