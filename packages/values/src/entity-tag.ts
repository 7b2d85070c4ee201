import { hash } from "node:crypto";

/** The strong entity tag of a resource at a revision, with its quotes (contract 3.1). */
export function entityTag(kind: string, id: string, revision: number): string {
  return `"${hash("sha256", `${kind}:${id}:${revision}`).slice(0, 16)}"`;
}

/**
 * True when a write guarded by these `If-Match` entries may go ahead: one of them is the current tag, or `*` stands
 * alone; in a list it is no tag (RFC 9110, 13.1.1). The comparison is the strong one (8.8.3.2): a weak tag never matches.
 */
export function ifMatchAllows(ifMatch: readonly string[], currentTag: string): boolean {
  return ifMatch.includes(currentTag) || (ifMatch.length === 1 && ifMatch[0] === "*");
}
