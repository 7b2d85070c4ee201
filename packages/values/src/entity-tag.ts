import { hash } from "node:crypto";

/** Returns a resource's strong entity tag at a revision, in quotes (contract 3.1). */
export function entityTag(kind: string, id: string, revision: number): string {
  return `"${hash("sha256", `${kind}:${id}:${revision}`).slice(0, 16)}"`;
}

/**
 * True if these `If-Match` entries allow the write: one equals the current tag, or the only entry is `*`, which is no
 * tag within a list (RFC 9110, 13.1.1). The comparison is the strong one (8.8.3.2): a weak tag never matches.
 */
export function ifMatchAllows(ifMatch: readonly string[], currentTag: string): boolean {
  return ifMatch.includes(currentTag) || (ifMatch.length === 1 && ifMatch[0] === "*");
}
