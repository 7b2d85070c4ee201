import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markdownToHtml, markdownToText } from "./render-markdown.ts";

const html = (text: string) => markdownToHtml(text, { withLinks: true });
const link = (href: string, text: string) =>
  `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">${text}</a>`;

test.each([
  ["emphasis", "a **b** *c* __d__ _e_", "a <strong>b</strong> <em>c</em> <strong>d</strong> <em>e</em>", "a b c d e"],
  ["line breaks", "a\nb", "a<br>b", "a\nb"],
  ["paragraphs", "a\n\nb", "<p>a</p><p>b</p>", "a\nb"],
  ["a list", "Take\n\n- a\n- **b**", "<p>Take</p><ul><li>a</li><li><strong>b</strong></li></ul>", "Take\n- a\n- b"],
  ["a list in a list", "- a\n  - b", "<ul><li>a<ul><li>b</li></ul></li></ul>", "- a\n  - b"],
  ["what looks like a task", "- [ ] a", "<ul><li>[ ] a</li></ul>", "- [ ] a"],
  ["a numbered list", "3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>', "- a\n- b"],
  ["a link", "[a *b*](https://x.y/?a=1&b=2)", link("https://x.y/?a=1&amp;b=2", "a <em>b</em>"), "a b"],
  ["a link to an address", "[us](mailto:us@x.y)", link("mailto:us@x.y", "us"), "us"],
  ["an address by itself", "see https://x.y", `see ${link("https://x.y", "https://x.y")}`, "see https://x.y"],
  [
    "a picture",
    "![a cup](https://x.y/c.png)",
    '<img src="https://x.y/c.png" alt="a cup" loading="lazy" referrerpolicy="no-referrer">',
    "a cup",
  ],
  ["an escaped mark", "\\*a\\*", "*a*", "*a*"],
])("%s is rendered, and written as text", (_what, text, rendered, plain) => {
  expect(html(text)).toBe(rendered);
  expect(markdownToText(text)).toBe(plain);
});

test.each(["# heading", "> quote", "`code`", "~~struck~~", "| a |\n|---|", "---", "a\n===", "&amp;", "[a][b]"])(
  "%j stays as it was written",
  (text) => {
    const escaped = text.trim().replaceAll("&", "&amp;").replaceAll(">", "&gt;").replaceAll("\n", "<br>");
    expect(html(text)).toBe(escaped);
    expect(markdownToText(text)).toBe(text.trim());
  },
);

test("without addresses the words of links and pictures are shown", () => {
  const text = 'a ![<b>"](https://x.y/c.png) [*c*](https://x.y)';
  expect(markdownToHtml(text, { withLinks: false })).toBe("a &lt;b&gt;&quot; <em>c</em>");
});

/** Every tag that is rendered, with its attributes. */
const allowed =
  /<(?:\/?(?:p|ul|ol|li|strong|em|a)|br|ol start="\d+"|a href="(?:https:|mailto:)[^"<>]*" target="_blank" rel="noopener noreferrer nofollow"|img src="https:[^"<>]*" alt="[^"<>]*" loading="lazy" referrerpolicy="no-referrer")>/gi;
const isHarmless = (text: string) => !/[<>]/.test(html(text).replaceAll(allowed, ""));

describe("nothing else comes through", () => {
  test.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "**<b onclick=x>**",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](java\tscript:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](data:text/html;base64,PHN2Zz4=)",
    "[a](vbscript:x)",
    "[a](//evil.example)",
    "[a](http://x.y)",
    "http://x.y",
    "<javascript:alert(1)>",
    "![a](data:image/svg+xml;base64,PHN2Zz4=)",
    "![a](http://x.y/a.png)",
    '![a"onerror="alert(1)](https://x.y/"onerror="alert(1))',
    '[a](https://x.y/"onclick="alert(1) "t\\"onclick=x")',
    "<a href='https://x.y' onclick=x>a</a>",
    "<!--<b>-->",
    "</p></div><script>",
    "[![a](javascript:x)](https://x.y)",
  ])("of %j", (text) => {
    expect(isHarmless(text)).toBe(true);
    expect(html(text)).not.toMatch(/href="(?!https:|mailto:)|src="(?!https:)/);
  });

  test("of any text", () => {
    const part = fc.oneof(
      fc.constantFrom(..."*_[]()!<>\"'&\\\n\t -1.#`~|:/".split("")),
      fc.constantFrom("javascript:", "https://x.y", "mailto:a@b.c", "data:", "<script>", "![", "](", "- ", "1. ", "a"),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        expect(isHarmless(parts.join(""))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ["lists in lists on one line", (n: number) => "- ".repeat(n / 2)],
  ["numbered lists on one line", (n: number) => "1. ".repeat(n / 3)],
  [
    "lists in lists by indent",
    (n: number) => Array.from({ length: Math.sqrt(n) }, (_, at) => `${" ".repeat(at)}- a`).join("\n"),
  ],
  ["blanks", (n: number) => `${" ".repeat(n)}a${" ".repeat(n)}b`],
  ["brackets", (n: number) => "[".repeat(n)],
  ["emphasis", (n: number) => "*a **b ".repeat(n / 7)],
])("%s of any depth are shown", (_what, make) => {
  for (const length of [4_000, 10_000]) {
    const text = make(length);
    expect(isHarmless(text)).toBe(true);
    expect(html(text).length).toBeGreaterThan(0);
    expect(markdownToText(text).length).toBeLessThanOrEqual(2 * text.length);
  }
});
