import { createHash } from "node:crypto";

export const longestName = 64;
const digestLength = 16;
const foreignAttribute = /^contact\.attributes\.(?![a-z0-9_]+$)/;

/** Every export derives the same name from an id. Ids that are too long or may collide (ignoring case) get a digest. */
export function variableName(id: string): string {
  const plain = id.replaceAll(/[^A-Za-z0-9]/g, "_");
  // Ids of questions get a prefix, because a name must start with a letter.
  const name = /^[A-Za-z]/.test(plain) && !/^[a-z0-9]{16}/.test(plain) ? plain : `q_${plain}`;
  if (name.length <= longestName && !foreignAttribute.test(id)) return name;
  return withDigest(name, id);
}

/** The start of a name, and a digest of its owner. */
export function withDigest(name: string, id: string): string {
  const digest = createHash("sha256").update(id).digest("hex").slice(0, digestLength);
  return `${name.slice(0, 18)}_${digest}`;
}
