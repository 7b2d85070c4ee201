import { AppError } from "@canvass/errors";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileNotFound, type FileStore } from "../../src/storage/file-store/file-store.ts";
import { fileStoreSettings } from "../../src/storage/file-store/file-store-settings.ts";
import { openFileStore } from "../../src/storage/file-store/open-file-store.ts";
import { createS3Store } from "../../src/storage/file-store/s3-store.ts";
import { startS3 } from "./start-s3.ts";

const mebi = 1024 * 1024;

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* large(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(mebi, index);
}

async function textOf(store: FileStore, key: string, range?: { start: number; end: number }): Promise<string> {
  return Buffer.concat(await Array.fromAsync(store.read(key, range))).toString();
}

interface Opened extends AsyncDisposable {
  store: FileStore;
  /** Takes the storage away. */
  breakIt: () => Promise<unknown>;
}

async function openFolder(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), "canvass-files-"));
  const store = openFileStore({ folder: join(folder, "files") });
  return {
    store,
    // A file where the folder would be.
    breakIt: async () => {
      await rm(join(folder, "files"), { recursive: true, force: true });
      await writeFile(join(folder, "files"), "");
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

async function openS3(): Promise<Opened> {
  const { bucket, endpoint, accessKeyId, secretAccessKey, ...server } = await startS3();
  const store = openFileStore({ bucket, region: "us-east-1", endpoint, accessKeyId, secretAccessKey });
  return {
    store,
    breakIt: server.close,
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe.each([
  ["a folder", openFolder],
  ["a server of the S3 protocol", openS3],
])("files in %s", (_name, open) => {
  test("are read as they were written, whole and in ranges", async () => {
    await using opened = await open();
    const { store } = opened;
    expect(await store.write("exports/a/file-1.csv", chunks("one,", "two"))).toBe(7);
    expect(await textOf(store, "exports/a/file-1.csv")).toBe("one,two");
    expect(await textOf(store, "exports/a/file-1.csv", { start: 4, end: 5 })).toBe("tw");
    await store.write("exports/a/file-1.csv", chunks("again"));
    expect(await textOf(store, "exports/a/file-1.csv")).toBe("again");
    expect(await store.write("exports/a/empty", chunks())).toBe(0);
    expect(await textOf(store, "exports/a/empty")).toBe("");
  });

  test("may be larger than a part of an upload", async () => {
    await using opened = await open();
    expect(await opened.store.write("large", large(20))).toBe(20 * mebi);
    let bytes = 0;
    for await (const chunk of opened.store.read("large")) bytes += chunk.length;
    expect(bytes).toBe(20 * mebi);
    const range = { start: 15 * mebi, end: 15 * mebi + 1 };
    expect(Buffer.concat(await Array.fromAsync(opened.store.read("large", range)))).toEqual(Buffer.alloc(2, 15));
  });

  test("missing files are distinguished from an unavailable file store", async () => {
    await using opened = await open();
    const { store } = opened;
    await expect(textOf(store, "exports/none")).rejects.toBeInstanceOf(FileNotFound);
    await opened.breakIt();
    const writing = store.write("exports/new", chunks("x")).catch((error: unknown) => error);
    const error = (await writing) as AppError;
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "service_unavailable", details: { part: "file storage" } });
    await expect(textOf(store, "exports/none")).rejects.toMatchObject({ code: "service_unavailable" });
  });

  test("files whose chunks fail or are abandoned do not exist, and the failure is reported", async () => {
    await using opened = await open();
    const { store } = opened;
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* large(10);
      throw new RangeError("no more");
    }
    await expect(store.write("exports/half", failing())).rejects.toThrow(new RangeError("no more"));
    const giveUp = new AbortController();
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield* large(2);
      giveUp.abort(new Error("enough"));
      yield* large(20);
    }
    await expect(store.write("exports/half", endless(), giveUp.signal)).rejects.toThrow("enough");
    await expect(textOf(store, "exports/half")).rejects.toBeInstanceOf(FileNotFound);
  });

  test("files of a folder are deleted together, others are kept", async () => {
    await using opened = await open();
    const { store } = opened;
    for (const key of ["exports/w/a/1", "exports/w/a/b/2", "exports/w/ab/3"]) await store.write(key, chunks("x"));
    await store.deleteFolder("exports/w/a");
    await store.deleteFolder("exports/w/never");
    await expect(textOf(store, "exports/w/a/1")).rejects.toBeInstanceOf(FileNotFound);
    await expect(textOf(store, "exports/w/a/b/2")).rejects.toBeInstanceOf(FileNotFound);
    expect(await textOf(store, "exports/w/ab/3")).toBe("x");
  });

  test.each(["", "/etc/passwd", "../up", "a/../b", "a//b", ".hidden", "a b"])("have no key %j", async (key) => {
    await using opened = await open();
    await expect(opened.store.write(key, chunks("x"))).rejects.toThrow("no key of a file");
    await expect(textOf(opened.store, key)).rejects.toThrow("no key of a file");
    await expect(opened.store.deleteFolder(key)).rejects.toThrow("no key of a file");
  });
});

test("a bucket that takes connections and never answers is unavailable, for every call", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const place = { bucket: "b", region: "us-east-1", endpoint: `http://127.0.0.1:${port}` };
  await using store = createS3Store({ ...place, accessKeyId: "a", secretAccessKey: "s" }, 50);
  const calls = await Promise.allSettled([
    store.deleteFolder("exports/a"),
    textOf(store, "exports/a/1"),
    store.write("exports/a/1", chunks("x")),
  ]);
  server.close();
  const refused = { status: "rejected", reason: { code: "service_unavailable" } };
  expect(calls).toMatchObject([refused, refused, refused]);
});

test("what a killed process left of a file goes with its folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "canvass-files-"));
  await using store = openFileStore({ folder });
  await store.write("e/1", chunks("x"));
  await writeFile(join(folder, "e", "2.killed.incoming"), "half");
  await store.deleteFolder("e");
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

test("settings name a bucket or a folder; a key comes with its secret", () => {
  const region = { CANVASS_S3_REGION: "eu-central-1" };
  expect(fileStoreSettings(region)).toBeUndefined();
  expect(fileStoreSettings({ ...region, CANVASS_FILES_DIR: "/data" })).toEqual({ folder: "/data" });
  expect(fileStoreSettings({ ...region, CANVASS_FILES_DIR: "/data", CANVASS_S3_BUCKET: "b" })).toMatchObject({
    bucket: "b",
    region: "eu-central-1",
  });
  expect(() => fileStoreSettings({ ...region, CANVASS_S3_ACCESS_KEY_ID: "a" })).toThrow(/CANVASS_S3_SECRET_ACCESS_KEY/);
});
