import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isEmbeddingOrigin } from "./embedding-origin.ts";

test.each([
  "https://example.com",
  "http://localhost:3000",
  "https://xn--mller-kva.example",
  "https://intranet",
  "https://10.1.2.3:8443",
  "https://[2001:db8::1]",
  "http://[::1]:3000",
  "https://*.example.com",
  "https://*.example.com:8443",
  "https://*.shop.example.co.uk",
  "https://*.someone.github.io",
])("%s is an origin", (text) => expect(isEmbeddingOrigin(text)).toBe(true));

describe("no origin is", () => {
  test.each([
    "https://example.com/",
    "https://example.com:443",
    "https://example.com:99999",
    "https://example.com:0",
    "https://EXAMPLE.com",
    "https://user@example.com",
    "ftp://example.com",
    "null",
    "*",
    "",
    "https://müller.example",
    "https://example.com.",
    "https://a..example",
    "https://under_score.example",
  ])("%j", (text) => expect(isEmbeddingOrigin(text)).toBe(false));

  test.each([
    "https://*",
    "https://*.*.example.com",
    "https://www.*.example.com",
    "https://shop*.example.com",
    "https://*.com",
    "https://*.co.uk",
    "https://*.github.io",
    "https://*.localhost",
    "https://*.10.1.2.3",
    "https://*.[::1]",
  ])("one that stands for strangers: %j", (text) => expect(isEmbeddingOrigin(text)).toBe(false));

  test.each([
    "https://a.example;script-src",
    "https://a.example;script-src%20*",
    "https://a.example,default-src",
    "https://a.example'none'",
    'https://a.example"',
    "https://a.example&b",
    "https://a$b.example",
    "https://a(b).example",
    "https://a!b.example",
    "https://a~b.example",
    "https://a=b.example",
    "https://a{b}.example",
    "https://a.example *",
    "https://a.example\tb.example",
    "https://a.example\n",
    "https://a.example\r\nx: y",
  ])("what ends a source of a policy: %j", (text) => expect(isEmbeddingOrigin(text)).toBe(false));
});

test("every valid origin is one source of one directive", () => {
  const parts = fc.constantFrom(
    "https://",
    "a",
    "*.",
    ".",
    "-",
    "example",
    ".com",
    ":",
    "8",
    "[",
    "]",
    ";",
    ",",
    " ",
    "'",
  );
  const text = fc.array(fc.oneof(parts, fc.string({ maxLength: 2 })), { maxLength: 8 }).map((all) => all.join(""));
  let origins = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((rest) => `https://a.example${rest}`),
      ),
      (origin) => {
        if (!isEmbeddingOrigin(origin)) return;
        origins += 1;
        expect(origin).toMatch(/^https?:\/\/[a-z0-9.:*[\]-]+$/);
      },
    ),
    { numRuns: 2_000 },
  );
  expect(origins).toBeGreaterThan(20);
});
