import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { ensureKeys } from "./keys.ts";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-keys-"));
  path = join(directory, "keys.json");
});
afterEach(() => rm(directory, { recursive: true }));

describe("ensureKeys", () => {
  test("the public key verifies what the private key signs", async () => {
    const keys = await ensureKeys(path, []);
    const privateKey = createPrivateKey({
      key: Buffer.from(keys.callerPrivateKey, "base64"),
      format: "der",
      type: "pkcs8",
    });
    const publicKey = createPublicKey({
      key: Buffer.from(keys.callerPublicKey, "base64"),
      format: "der",
      type: "spki",
    });
    const message = Buffer.from("caller");
    expect(verify(null, message, publicKey, sign(null, message, privateKey))).toBe(true);
    expect(Buffer.from(keys.secretsKey, "base64")).toHaveLength(32);
  });

  test("the second start finds the same keys, and a service that came later gets a password", async () => {
    const first = await ensureKeys(path, ["token"]);
    const second = await ensureKeys(path, ["token", "survey"]);
    expect(second).toMatchObject(first);
    expect(second.databasePasswords["survey"]).not.toBe(second.databasePasswords["token"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("a file that has all keys is not written again", async () => {
    await ensureKeys(path, ["token"]);
    const { ino } = await stat(path);
    await ensureKeys(path, ["token"]);
    expect((await stat(path)).ino).toBe(ino);
  });

  test("the keys are on the disk when it returns", async () => {
    await using file = await open(path, "w");
    const synced = vi.spyOn(Object.getPrototypeOf(file) as typeof file, "sync");
    await rm(path);
    await ensureKeys(path, ["token"]);
    // The file and its directory.
    expect(synced).toHaveBeenCalledTimes(2);
    synced.mockRestore();
    expect(await readdir(directory)).toEqual(["keys.json"]);
  });

  test("a damaged file is refused and left alone", async () => {
    await writeFile(path, '{"peerKey": ');
    await expect(ensureKeys(path, [])).rejects.toThrow(/cannot be read \(not valid JSON\); restore/);
    await writeFile(path, '{"callerPrivateKey": "x"}');
    await expect(ensureKeys(path, [])).rejects.toThrow("half a key pair");
    expect(await readFile(path, "utf8")).toBe('{"callerPrivateKey": "x"}');
  });
});
