import { expect, test } from "vitest";
import { isAllowedOrigin } from "./is-allowed-origin.ts";

const allowed = ["https://shop.example", "https://*.example.com", "https://*.example.org:8443"];

test.each([
  ["https://shop.example", true],
  ["https://www.example.com", true],
  ["https://a.b.example.com", true],
  ["https://www.example.org:8443", true],
  ["http://shop.example", false],
  ["https://www.shop.example", false],
  ["https://example.com", false],
  ["http://www.example.com", false],
  ["https://wwwexample.com", false],
  ["https://www.example.com.evil.example", false],
  ["https://www.example.org", false],
  ["null", false],
])("%s is allowed: %s", (origin, isAllowed) => {
  expect(isAllowedOrigin(origin, allowed)).toBe(isAllowed);
});
