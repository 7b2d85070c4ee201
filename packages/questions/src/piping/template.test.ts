import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fillTemplate, parseTemplate, renamePlaceholders } from "./template.ts";
import { asAddress, asMarkdown, asText } from "./write-value.ts";
import { markdownToHtml, markdownToText } from "../texts/render-markdown.ts";

const fill = (text: string, values: Record<string, string> = {}) => fillTemplate(text, (name) => values[name]);

test.each([
  ["no braces { } }}", "no braces { } }}"],
  ["Hi {{a}}!", "Hi A!"],
  ["{{ a }}{{a|x}}", "AA"],
  ["Hi {{b|you}}", "Hi you"],
  ["Hi {{b}}.", "Hi ."],
  ["{{b|a|b}}", "a|b"],
  [String.raw`\{{a}}`, "{{a}}"],
  [String.raw`\{{{{a}}`, "{{A"],
])("%s is filled in", (text, filled) => {
  expect(parseTemplate(text).fault).toBeNull();
  expect(fill(text, { a: "A" })).toBe(filled);
});

test.each([
  ["{{a", "without }}"],
  ["{{a|{{b}}}}", "braces inside"],
  ["{{{a}}}", "braces inside"],
  ["{{}}", "without a name"],
  ["{{|x}}", "without a name"],
])("%s has a fault, and stays as it was written", (text, fault) => {
  expect(parseTemplate(text).fault).toContain(fault);
  expect(fill(text)).toContain("{{");
});

const part = fc.oneof(
  fc.constantFrom("{{", "}}", "{", "}", "|", "\\", "a", "field.x", " ", "{{a}}", "{{b|c}}"),
  fc.string(),
);
const anyText = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(""));

test("any text is the sum of its parts, and renaming back gives it again", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { parts, fault } = parseTemplate(text);
      expect(parts.map(({ raw }) => raw).join("")).toBe(text);
      expect(renamePlaceholders(text, () => undefined)).toBe(text);
      if (fault !== null) return;
      const once = renamePlaceholders(text, (name) => `x${name}`);
      expect(parseTemplate(once).parts.length).toBe(parts.length);
      expect(renamePlaceholders(once, (name) => name.slice(1))).toBe(renamePlaceholders(text, (name) => name));
    }),
  );
});

test("a value is never a placeholder itself", () => {
  fc.assert(
    fc.property(anyText, fc.string(), (value, around) => {
      const before = around.replaceAll("{", "(");
      expect(fill(`${before}[{{a}}]`, { a: value })).toBe(`${before}[${value}]`);
    }),
  );
});

const markup = fc.array(
  fc.oneof(
    fc.constantFrom(
      ..."*_[]()!<>\"'&\\\n -1.#`~|:/@".split(""),
      "](javascript:",
      "https://x.y",
      "www.x.y",
      "<b>",
      "- ",
    ),
    fc.string(),
  ),
  { maxLength: 20 },
);

test("a value in Markdown is shown as the text it is", () => {
  fc.assert(
    fc.property(markup, (parts) => {
      const value = parts.join("");
      const shown = asText(value, "");
      const text = fillTemplate("a{{v}}b **c**", () => value, asMarkdown);
      expect(markdownToText(text)).toBe(`a${shown}b c`);
      const html = markdownToHtml(text, { withLinks: true });
      expect(html.replaceAll(/<\/?strong>/g, "")).not.toMatch(/</);
    }),
  );
});

test("a value in an address changes neither its scheme nor its host", () => {
  fc.assert(
    fc.property(markup, (parts) => {
      const value = parts.join("");
      const link = fillTemplate("[a](https://x.y/p?q={{v}}) b", () => value, asMarkdown);
      expect(markdownToHtml(link, { withLinks: true })).toMatch(
        /^<a href="https:\/\/x\.y\/p\?q=[\w%.-]*" [^<]*>a<\/a> b$/,
      );
      const url = fillTemplate("https://x.y/{{v}}", () => value, asAddress);
      expect(new URL(url).host).toBe("x.y");
    }),
  );
  expect(fillTemplate("https://{{v}}/", () => "evil.example", asAddress)).toBe("https:///");
  expect(fillTemplate("[a]({{v}})", () => "javascript:alert(1)", asMarkdown)).toBe("[a]()");
});

test("a value is one line, short, and keeps its direction to itself", () => {
  expect(asText(" a\n b\t", "")).toBe("a b");
  expect(Array.from(asText("ก".repeat(10_000), ""))).toHaveLength(300);
  expect(asText("سارة", "")).toBe("\u2068سارة\u2069");
  expect(asText("a\u202eb\u2066", "")).toBe("ab");
});
