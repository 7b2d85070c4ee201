export interface Mailbox {
  name: string;
  address: string;
}

// Characters that could end the address or begin another one, quoted or not.
const unsafe = String.raw`\s\p{C}"(),:;<>@[\\\]`;
const localPart = new RegExp(`^[^${unsafe}]{1,64}$`, "u");
const domain = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?:\.[\p{L}\p{M}\p{N}-]{1,63})*$/u;

/** Stricter than RFC 5321 (no quoted local parts, no address literals), but allows RFC 6531. */
export function isMailAddress(text: string): boolean {
  const at = text.indexOf("@");
  return text.length <= 254 && localPart.test(text.slice(0, Math.max(at, 0))) && domain.test(text.slice(at + 1));
}

export function parseMailbox(text: string): Mailbox | undefined {
  const named = /^([^<>]*)<([^<>]*)>$/.exec(text.trim());
  const name = named ? named[1]!.trim().replace(/^"(.*)"$/, "$1") : "";
  const address = named ? named[2]!.trim() : text.trim();
  return isMailAddress(address) ? { name, address } : undefined;
}
