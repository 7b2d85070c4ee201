import { expect, test } from "vitest";
import { maskPasswords } from "./mask-passwords.ts";
import { planSurvey } from "./plan-survey.ts";

test.each([
  "password: s3cret",
  "  password:   's3c''ret, s3cret'",
  '  "password" : "s3cret\\" s3cret"',
  '{ "access": { "password": "s3cret", "other": 1 } }',
  '{ "access": { "password":\n"s3cret" } }',
  "access: {password: s3cret, other: 1}",
  "access: { other: 1, 'password': s3cret}",
  "  password: |-\n    s3cret\n\n    s3cret\n  next: 1",
  "  password:\n    s3cret\n  next: 1",
  "  password: a\n    s3cret\n  next: 1",
  '  password: !!str &a "a\n    s3cret"\n  next: 1',
  "  password: trues3cret",
  "  password: true s3cret",
  "  password: s3cret\r\n  next: 1",
  "password:\n  # why\n    s3cret\nnext: 1",
  "access: { password:\n  s3cret }",
  "access: { password: first\n  s3cret, next: 1 }",
  '{ "password"\n: "s3cret" }',
  "? password\n: s3cret",
  '"pass\\u0077ord": s3cret',
  "first: &a s3cret\npassword: *a",
])("no password is shown: %j", (text) => {
  const shown = maskPasswords(text) ?? "";
  expect(shown).not.toContain("s3c");
  expect(shown).toContain("********");
  for (const kept of ["next: 1", '"other": 1']) expect(shown.includes(kept)).toBe(text.includes(kept));
});

test("nothing is shown of a text that is neither YAML nor JSON", () => {
  expect(maskPasswords("  password: s3cret, or: s3cret # why")).toBeUndefined();
});

test.each([
  "  password: true",
  "  password: true # keeps it\n  next: 1",
  '{ "password": true, "next": 1 }',
  "{password: null}",
  "name: password",
  "passwords: 3",
])("all else stays: %j", (text) => {
  expect(maskPasswords(text)).toBe(text);
});

test("a plan shows what changes around a password, and not that", async () => {
  const surveys = {
    document: async () => ({ text: "name: Lunch\npassword: true\n", format: "yaml", etag: "e" }),
    planDocument: async () => ({ etag: "e", writes: ["name", "settings"] }),
  };
  const file = { path: "lunch.yaml", text: "name: Dinner\npassword: s3cret\n", format: "yaml" } as const;
  const { diff } = await planSurvey({ surveys } as never, file, { surveyId: "s" } as never);
  expect(diff?.split("\n").slice(3)).toEqual([
    "-name: Lunch",
    "-password: true",
    "+name: Dinner",
    "+password: ********",
  ]);
});
