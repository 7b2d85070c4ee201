import { expect, test } from "vitest";
import { parseWebhookUrl, webhookUrlKey } from "./webhook-url.ts";

test.each([
  ["http://example.com/", /https/],
  ["ftp://example.com/", /https/],
  ["javascript:alert(1)", /https/],
  ["example.com", /absolute/],
  ["/hook", /absolute/],
  ["", /absolute.*event feed/],
  ["https://", /absolute/],
  ["https:example.com/hook", /https:\/\//],
  ["https:/example.com/hook", /https:\/\//],
  ["https:///example.com/hook", /https:\/\//],
  ["https://user:pass@example.com/", /password/],
  ["https://user@example.com/", /password/],
  ["https://@example.com/", /password/],
  ["https://:@example.com/", /password/],
  [" https://example.com/", /spaces/],
  ["https://example.com/a b", /spaces/],
  ["https://exam\nple.com/", /spaces/],
  ["https:\\\\example.com\\", /backslashes/],
  ["https://example.com/\0", /control/],
  ["https://example.com:99999/", /port beyond 65535/],
  ["https://example.com:0/", /port 0/],
  ["https://example.com:00/", /port 0/],
  ["https://exa mple.com/", /spaces/],
  ["https://[::1/", /absolute/],
  ["https://[fe80::1%25eth0]/", /absolute/],
  [`https://example.com/${"a".repeat(2029)}`, /2048/],
])("%j is refused", (text, problem) => {
  const parsed = parseWebhookUrl(text);
  expect("problems" in parsed ? parsed.problems.join("; ") : "accepted").toMatch(problem);
});

test("all violations of a URL are returned at once", () => {
  const parsed = parseWebhookUrl(`http://a:b@example.com/ ${"x".repeat(2048)}`);
  expect("problems" in parsed && parsed.problems).toHaveLength(4);
});

test("a URL of the greatest length is accepted", () => {
  const text = `https://example.com/${"a".repeat(2028)}`;
  expect(text).toHaveLength(2048);
  expect(parseWebhookUrl(text)).toHaveProperty("url");
});

const key = (text: string): string => {
  const parsed = parseWebhookUrl(text);
  if (!("url" in parsed)) throw new Error(parsed.problems.join("; "));
  return webhookUrlKey(parsed.url);
};

test.each([
  "https://EXAMPLE.com/hook?a=1",
  "HTTPS://example.com/hook?a=1",
  "https://example.com:443/hook?a=1",
  "https://example.com./hook?a=1",
  "https://example.com/hook?a=1#part",
  "https://example.com/./x/../hook?a=1",
  "https://example.com/%68ook?a=1",
])("%s has the same key as its plain spelling", (text) => {
  expect(key(text)).toBe("https://example.com/hook?a=1");
});

test.each([
  ["https://example.com/Hook", "https://example.com/hook"],
  ["https://example.com/hook/", "https://example.com/hook"],
  ["https://example.com/hook?a=1", "https://example.com/hook?a=2"],
  ["https://example.com:8443/hook", "https://example.com/hook"],
  ["https://example.com/a%2Fb", "https://example.com/a/b"],
])("%s and %s have different keys", (a, b) => {
  expect(key(a)).not.toBe(key(b));
});

test("spellings of numeric and international hosts have the same key", () => {
  expect(key("https://0x7f.1/")).toBe(key("https://127.0.0.1/"));
  expect(key("https://2130706433/")).toBe(key("https://127.0.0.1/"));
  expect(key("https://münchen.example/")).toBe(key("https://xn--mnchen-3ya.example/"));
});
