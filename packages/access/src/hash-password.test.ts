import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./hash-password.ts";

test("only the password itself matches its hash, however its accents were typed, and hashing twice gives different hashes", async () => {
  const hash = await hashPassword("ärger 1");
  expect(hash).not.toContain("rger");
  expect(await verifyPassword("a\u0308rger 1", hash)).toBe(true);
  expect(await verifyPassword("ärger 2", hash)).toBe(false);
  expect(await hashPassword("ärger 1")).not.toBe(hash);
});
