import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSealedFile, writeSealedFile, type Records } from "../src/transfer/sealed-file.ts";

let folder: string;
let identity: string;
let recipient: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "canvass-sealed-"));
  identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function* someRecords(count: number, bytes: number): Records {
  for (let index = 0; index < count; index++) {
    yield {
      record: {
        case: "part",
        value: { part: { case: "file", value: { key: `${index}`, bytes: randomBytes(bytes) } } },
      },
    };
    yield { record: { case: "service", value: "token" } };
  }
}

/** Returns the number of records, or the message of the error. */
async function outcomeOf(path: string, key = identity): Promise<unknown> {
  let count = 0;
  try {
    for await (const { record } of readSealedFile(path, key)) count += record.case === undefined ? 0 : 1;
    return count;
  } catch (error) {
    return (error as Error).message;
  }
}

test("a file that was cut anywhere, has one other bit, more bytes or another's key is refused", async () => {
  const path = join(folder, "whole.age");
  // Longer than one of age's chunks.
  await writeSealedFile(path, recipient, someRecords(3, 30_000));
  const whole = await readFile(path);
  expect(await outcomeOf(path)).toBe(6);
  const places = Array.from({ length: 50 }, (_, index) => Math.floor((index * whole.length) / 50));
  const changed = join(folder, "changed.age");
  const refused = async (bytes: Uint8Array): Promise<unknown> => {
    await writeFile(changed, bytes);
    return outcomeOf(changed);
  };
  for (const place of [...places, whole.length - 1]) {
    expect(await refused(whole.subarray(0, place)), `cut at ${place}`).toMatch(/ cannot be read: .+\.$/);
    const flipped = Buffer.from(whole);
    flipped[place]! ^= 1;
    expect(await refused(flipped), `other bit at ${place}`).toMatch(/ cannot be read: .+\.$/);
  }
  expect(await refused(Buffer.concat([whole, Buffer.of(0)]))).toMatch(/ cannot be read: .+\.$/);
  expect(await outcomeOf(path, await generateX25519Identity())).toMatch(/ cannot be read: .+\.$/);
  expect(await outcomeOf(path, "no key")).toMatch(/ cannot be read: .+\.$/);
});

test("two exports to one name at once leave one whole file, and one that fails leaves none", async () => {
  const own = await mkdtemp(join(folder, "own-"));
  const path = join(own, "one.age");
  const write = (count: number) => writeSealedFile(path, recipient, someRecords(count, 90_000), { replace: true });
  await Promise.all([6, 5, 4].map(write));
  expect([8, 10, 12]).toContain(await outcomeOf(path));
  const failing = async function* (): Records {
    yield* someRecords(1, 10);
    throw new Error("the service went away");
  };
  const other = join(own, "other.age");
  await expect(writeSealedFile(other, recipient, failing())).rejects.toThrow("the service went away");
  expect(await readdir(own)).toEqual(["one.age"]);
});

test("a file that is there, or comes meanwhile, is replaced only if that is asked for", async () => {
  const own = await mkdtemp(join(folder, "there-"));
  const path = join(own, "there.age");
  const records = async function* (): Records {
    yield* someRecords(1, 10);
    await writeFile(path, "mine");
  };
  await expect(writeSealedFile(path, recipient, records())).rejects.toThrow("there.age already exists; give another");
  expect([await readdir(own), await readFile(path, "utf8")]).toEqual([["there.age"], "mine"]);
  await writeSealedFile(path, recipient, records(), { replace: true });
  expect(await outcomeOf(path)).toBe(2);
});

test("a write error is a sentence", async () => {
  await mkdir(join(folder, "folder.age"));
  for (const name of ["none/x.age", "folder.age"]) {
    const refusal = writeSealedFile(join(folder, name), recipient, someRecords(1, 10), { replace: true });
    await expect(refusal).rejects.toThrow(new RegExp(`${name} cannot be written: .*\\.$`));
  }
  expect((await readdir(folder)).filter((name) => name.endsWith(".incoming"))).toEqual([]);
});
