import { createHash } from "node:crypto";

const longestName = 64;
const digestLength = 16;
const foreignAttribute = /^contact\.attributes\.(?![a-z0-9_]+$)/;

/**
 * Derives the name of a variable from the whole id of its column, so that every export uses the same name: letters,
 * digits and underscores. An id that is too long ends in its digest. So does the id of a contact attribute with other
 * characters or capitals, because variable names ignore case.
 */
export function variableName(id: string): string {
  const plain = id.replaceAll(/[^A-Za-z0-9]/g, "_");
  // A name begins with a letter.
  const name = /^[A-Za-z]/.test(plain) && !/^[a-z0-9]{16}/.test(plain) ? plain : `q_${plain}`;
  if (name.length <= longestName && !foreignAttribute.test(id)) return name;
  const digest = createHash("sha256").update(id).digest("hex").slice(0, digestLength);
  return `${name.slice(0, 18)}_${digest}`;
}
