import { expect, test } from "vitest";
import { hashPassword, isPassword } from "./hash-password.ts";

test("only the password itself matches its hash, however its accents were typed, and no two hashes are alike", async () => {
  const hash = await hashPassword("ärger 1");
  expect(hash).not.toContain("rger");
  expect(await isPassword("a\u0308rger 1", hash)).toBe(true);
  expect(await isPassword("ärger 2", hash)).toBe(false);
  expect(await hashPassword("ärger 1")).not.toBe(hash);
});
