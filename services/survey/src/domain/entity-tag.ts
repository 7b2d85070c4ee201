import { hash } from "node:crypto";

/** The strong entity tag of a resource at a revision, with its quotes (api-decisions 1, ETag). */
export function entityTag(kind: string, id: string, revision: number): string {
  return `"${hash("sha256", `${kind}:${id}:${revision}`).slice(0, 16)}"`;
}

/**
 * True when a write guarded by these `If-Match` entries may go ahead: one of them is the current tag, or `*`.
 * The comparison is the strong one (RFC 9110, 8.8.3.2 and 13.1.1), so a weak tag never matches.
 */
export function ifMatchAllows(ifMatch: readonly string[], currentTag: string): boolean {
  return ifMatch.some((tag) => tag === "*" || tag === currentTag);
}
