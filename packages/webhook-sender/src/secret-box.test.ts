import fc from "fast-check";
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSecretBox } from "./secret-box.ts";

const key = () => randomBytes(32).toString("base64");
const owner = { workspaceId: "w1", subscriptionId: "s1" };

test("a sealed secret opens for its owner only, and shows nothing of itself", () => {
  const box = createSecretBox(key());
  fc.assert(
    fc.property(fc.string({ minLength: 8 }), (secret) => {
      const sealed = box.seal(secret, owner);
      expect(box.open(sealed, owner)).toBe(secret);
      expect(Buffer.from(sealed).includes(Buffer.from(secret))).toBe(false);
      expect(() => box.open(sealed, { ...owner, subscriptionId: "s2" })).toThrow(/auth/);
      expect(() => box.open(sealed, { ...owner, workspaceId: "w2" })).toThrow(/auth/);
    }),
  );
});

test("the same secret is never sealed the same way twice", () => {
  const box = createSecretBox(key());
  expect(box.seal("secret", owner)).not.toEqual(box.seal("secret", owner));
});

test("any changed byte is noticed", () => {
  const box = createSecretBox(key());
  const sealed = box.seal("whsec_abc", owner);
  for (let i = 0; i < sealed.length; i++) {
    const changed = Uint8Array.from(sealed);
    changed[i]! ^= 1;
    expect(() => box.open(changed, owner)).toThrow(/auth|not known/);
  }
  expect(() => box.open(sealed.slice(0, -1), owner)).toThrow(/auth/);
  expect(() => box.open(new Uint8Array(), owner)).toThrow(/not known/);
});

test("a new key in front seals; the old one still opens until it is taken away", () => {
  const [old, fresh] = [key(), key()];
  const sealed = createSecretBox(old).seal("secret", owner);
  const both = createSecretBox(`${fresh}, ${old}`);
  expect(both.open(sealed, owner)).toBe("secret");
  const resealed = both.seal("secret", owner);
  expect(createSecretBox(fresh).open(resealed, owner)).toBe("secret");
  expect(() => createSecretBox(fresh).open(sealed, owner)).toThrow(/not known/);
});

test("a key of another length is refused", () => {
  expect(() => createSecretBox(randomBytes(16).toString("base64"))).toThrow(/32 bytes/);
  expect(() => createSecretBox("")).toThrow(/32 bytes/);
});
