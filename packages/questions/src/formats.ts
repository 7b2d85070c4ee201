/** Formats of a short text. Each check is linear in the text's length. */
export const textFormats = ["email", "url", "phone"] as const;
export type TextFormat = (typeof textFormats)[number];

const email =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
const phone = /^\+?[0-9]{4,15}$/;
const phonePunctuation = /[\s()./-]/g;

/** True for an address of the usual form, including internationalized ones, of at most 254 characters (RFC 5321). */
export function isEmail(text: string): boolean {
  return text.length <= 254 && text.indexOf("@") <= 64 && email.test(text);
}

/** True for an absolute http or https address. A host with an empty label or port 0 cannot be reached. */
export function isWebUrl(text: string): boolean {
  if (text.length > 2_048 || /\s/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, port } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && !/^\.|\.\./.test(hostname) && port !== "0";
}

const misleading = /[\\\p{Cc}\p{Cf}]/u;

/** True for an address that leads where it seems to: no user name, backslash (browsers' slash) or hidden character. */
export function isPlainWebUrl(text: string): boolean {
  if (!isWebUrl(text) || misleading.test(text) || !/^https?:\/\/[^/]/.test(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

export const plainWebUrlViolation =
  "must be a URL starting with https:// or http://, without a name or password, a backslash or a hidden character";

/** True for 4 to 15 digits (E.164), with or without a leading plus and common punctuation. */
export function isPhone(text: string): boolean {
  return text.length <= 40 && phone.test(text.replace(phonePunctuation, ""));
}

const checks: Record<TextFormat, { holds: (text: string) => boolean; violation: string }> = {
  email: { holds: isEmail, violation: "must be an e-mail address" },
  url: { holds: isWebUrl, violation: "must be a URL starting with https:// or http://" },
  phone: { holds: isPhone, violation: "must be a phone number" },
};

export function formatViolation(format: TextFormat, text: string): string | null {
  const { holds, violation } = checks[format];
  return holds(text) ? null : violation;
}
