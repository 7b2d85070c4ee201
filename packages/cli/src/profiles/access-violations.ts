import { urlViolation } from "@canvass/command-line";
import { OperationalError } from "@canvass/provisioning";

/**
 * Returns the installation's URL; the text may also be that of its API. Throws OperationalError, which calls the text
 * `name`, for anything but a URL of HTTP.
 */
export function installationUrl(text: string, name: string): string {
  const violation = urlViolation(text);
  if (violation) throw new OperationalError(`${name} is "${text.replace(/.*@/s, "…@")}", but it ${violation}.`);
  return text.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
}

/** Returns the token as it can be sent. Throws OperationalError, with `name`. */
export function sendableToken(text: string, name: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new OperationalError(`${name} is empty, or has characters that no token has.`);
}
