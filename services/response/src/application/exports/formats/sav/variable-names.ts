import { createHash } from "node:crypto";

const longestName = 64;
const digestLength = 16;
const foreignAttribute = /^contact\.attributes\.(?![a-z0-9_]+$)/;

/**
 * The name of a variable, made of the whole id of its column, so that it is the same in every export: letters, digits and
 * underlines. An id that is too long for a name ends in its digest, and so does that of an attribute of
 * contacts whose name holds other characters, or capitals, which variables do not tell apart.
 */
export function variableName(id: string): string {
  const plain = id.replaceAll(/[^A-Za-z0-9]/g, "_");
  // A name begins with a letter.
  const name = /^[A-Za-z]/.test(plain) && !/^[a-z0-9]{16}/.test(plain) ? plain : `q_${plain}`;
  if (name.length <= longestName && !foreignAttribute.test(id)) return name;
  const digest = createHash("sha256").update(id).digest("hex").slice(0, digestLength);
  return `${name.slice(0, 18)}_${digest}`;
}
