import { acceptedCodings } from "../body/body-coding.ts";

const text = (description: string, example: string) => ({ description, schema: { type: "string" }, example });

export const headers = {
  "X-Request-Id": text("names this request in our logs; your own of 1 to 128 visible ASCII characters is kept", "r-1"),
  ETag: text("the present version of the resource, opaque and strong; also `meta.etag`", '"1f0c6b2e8d2b4c57"'),
  Location: text("where what was made is read, or the state of what was queued", "/api/v1/exports/01h8x4v2c6n8b5tq"),
  "Idempotent-Replayed": text("`true`: this is the stored answer of the first request with this key", "true"),
  RateLimit: text(
    "the limit that counts this call, calls left (`r`) and seconds until it starts again (`t`)",
    '"reads";r=599;t=60',
  ),
  "RateLimit-Policy": text("calls (`q`) in a window of so many seconds (`w`)", '"reads";q=600;w=60'),
  "Retry-After": { description: "seconds to wait", schema: { type: "integer" }, example: 7 },
  "Accept-Encoding": text("the content codings of bodies that are taken", acceptedCodings),
  "Accept-Post": text("the media types of bodies that are taken", "application/json"),
  "Accept-Patch": text("the media types of bodies that are taken", "application/json"),
  "WWW-Authenticate": text("that a Bearer token is asked for", 'Bearer realm="canvass"'),
};

export type HeaderName = keyof typeof headers;

export function headerReferences(names: Iterable<HeaderName>): Record<string, { $ref: string }> {
  return Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
