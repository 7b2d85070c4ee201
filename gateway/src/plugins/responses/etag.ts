import type { FastifyRequest } from "fastify";

/** Matches an entity tag, e.g. `"abc"` or `W/"abc"` (RFC 9110, 8.8.3), or a malformed one. */
const entityTags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"|[^\s,]+/g;

/** Returns the entity tags of a header in order, or `["*"]`. Malformed tags are included and never match. */
export function parseEntityTags(header: string): string[] {
  return header.match(entityTags) ?? [];
}

const tagAlone = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Whether an `If-Match` is `*` or a list of entity tags (RFC 9110, 13.1.1). */
export function isIfMatch(header: string): boolean {
  if (header.trim() === "*") return true;
  // NUL can stand for a tag, since no header contains it. Empty list members are ignored (RFC 9110, 5.6.1).
  const members = header.replaceAll(tagAlone, "\0").split(",");
  const given = members.map((member) => member.trim()).filter((member) => member !== "");
  return given.length > 0 && given.every((member) => member === "\0");
}

const yamlEnd = '-yaml"';

/** Returns the tag of a YAML representation, from that of the JSON (contract 3.1). */
export function yamlTag(tag: string): string {
  return tag.replace(/"$/, yamlEnd);
}

/** A part of a hash, or the id of a file. */
const ownTag = /^"[0-9a-z]{16}(?:-yaml)?"$/;

/** Explains why no tag of an `If-Match` can come from this API. Undefined if one can. */
export function foreignTags(header: string): string | undefined {
  const tags = parseEntityTags(header);
  if (tags.some((tag) => tag === "*" || ownTag.test(tag))) return undefined;
  return tags.every((tag) => tag.startsWith("W/"))
    ? "is weak (W/), as proxies make it, and never matches: `meta.etag` is the tag untouched"
    : "is no tag of this API, as when a proxy adds to it: `meta.etag` is the tag untouched";
}

/** Whether an `If-Match` permits the request (RFC 9110, 13.1.1: strong comparison). An empty one sets no condition. */
export function fulfilsIfMatch(header: string, etag: string | undefined): boolean {
  const tags = parseEntityTags(header);
  return tags.length === 0 || tags.some((tag) => tag === "*" || tag === etag);
}

/** Whether the caller has this version (RFC 9110, 13.1.2: weak comparison). */
export function matchesIfNoneMatch(header: string, etag: string): boolean {
  if (header === etag) return true;
  const opaque = withoutWeakness(etag);
  return parseEntityTags(header).some((tag) => tag === "*" || withoutWeakness(tag) === opaque);
}

const withoutWeakness = (tag: string): string => (tag.startsWith("W/") ? tag.slice(2) : tag);

/** Returns the tags of `If-Match`. The one of a YAML representation stands for that of the JSON (contract 3.2). */
export function ifMatchOf(request: Pick<FastifyRequest, "headers">): string[] {
  const tags = parseEntityTags(request.headers["if-match"] ?? "");
  return tags.map((tag) => (tag.endsWith(yamlEnd) ? `${tag.slice(0, -yamlEnd.length)}"` : tag));
}
