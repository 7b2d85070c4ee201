import { hash } from "node:crypto";

/** Returns a resource's strong entity tag at a revision, in quotes (contract 3.1). */
export function entityTag(kind: string, id: string, revision: number): string {
  return `"${hash("sha256", `${kind}:${id}:${revision}`).slice(0, 16)}"`;
}

/** Returns the strong entity tag of bytes or a text, in quotes (contract 3.1). */
export function contentTag(content: string | Uint8Array): string {
  return `"${hash("sha256", content).slice(0, 16)}"`;
}

/** True if `If-Match` equals the current tag (strong comparison) or is `*` alone (RFC 9110, 13.1.1 and 8.8.3.2). */
export function ifMatchAllows(ifMatch: readonly string[], currentTag: string): boolean {
  return ifMatch.includes(currentTag) || (ifMatch.length === 1 && ifMatch[0] === "*");
}
