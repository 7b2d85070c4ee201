import type { AppError } from "@canvass/errors";
import { expect, test, vi } from "vitest";
import { Composer } from "yaml";
import { cutTextAfterViolations } from "./cut-after-violations.ts";
import { readYaml } from "./read-yaml.ts";

function refusalOf(text: string): AppError {
  try {
    readYaml(text);
  } catch (error) {
    return error as AppError;
  }
  throw new Error("the text is taken");
}

test.each([
  ["brackets", "]"],
  ["directives", "%x\n"],
  ["tags", "- !x y\n"],
])("of 10,000 faulty %s the first hundred are reported, and the parser gets few more", (_name, faulty) => {
  const { stackTraceLimit } = Error;
  const parsed = vi.spyOn(Composer.prototype, "next");
  const refusal = refusalOf(faulty.repeat(10_000));
  expect(refusal).toMatchObject({ code: "malformed_yaml" });
  expect((refusal.details as { body: string[] }).body).toHaveLength(100);
  expect(parsed.mock.calls.length).toBeLessThan(300);
  expect(JSON.stringify(parsed.mock.calls).length).toBeLessThan(100_000);
  parsed.mockRestore();
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});

test("of very many documents the second is the last that is parsed", () => {
  const parsed = vi.spyOn(Composer.prototype, "next");
  const { details } = refusalOf("---\na\n".repeat(10_000));
  expect((details as { body: string[] }).body).toEqual([expect.stringContaining("multiple documents")]);
  expect(parsed.mock.calls.length).toBeLessThan(10);
  parsed.mockRestore();
});

test("only the start of a text with very many invalid escapes is parsed", () => {
  const text = `a: "${"\\q".repeat(1_000_000)}"`;
  expect(cutTextAfterViolations(text).length).toBeLessThan(300);
  expect((refusalOf(text).details as { body: string[] }).body).toHaveLength(100);
});

test("text that only looks like many faults is not cut", () => {
  const line = '"\\q" !x ]';
  const text = `block: |\n${`  ${line}\n`.repeat(200)}plain: a ${line}\nquoted: ["${"\\n\\\\q".repeat(200)}"]\ntyped: [${"!!str 1,".repeat(200)}]\n`;
  expect(cutTextAfterViolations(text)).toBe(text);
  expect(readYaml(text)).toEqual({
    block: `${line}\n`.repeat(200),
    plain: `a ${line}`,
    quoted: ["\n\\q".repeat(200)],
    typed: Array.from({ length: 200 }, () => "1"),
  });
});
