import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { findNatsServer } from "./find-nats-server.ts";
import { downloadChecked } from "./release-archive.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-nats-"));
});
afterEach(() => rm(directory, { recursive: true }));

async function program(path: string): Promise<string> {
  await writeFile(path, "#!/bin/sh\n");
  await chmod(path, 0o755);
  return path;
}

describe("findNatsServer", () => {
  test("takes the one on the PATH and downloads nothing", async () => {
    const bin = join(directory, "bin");
    await mkdir(bin);
    const installed = await program(join(bin, "nats-server"));
    const search = { path: `/nowhere:${bin}`, cacheDir: join(directory, "cache") };
    await expect(findNatsServer(search, [])).resolves.toBe(installed);
  });

  test("downloads once, from the first source that has it, and leaves nothing else behind", async () => {
    const cacheDir = join(directory, "cache");
    const asked: string[] = [];
    const sources = [
      { what: "one", fetch: () => Promise.reject(new Error("no route")) },
      { what: "two", fetch: (workDir: string) => program(join(workDir, "unpacked")) },
    ];
    const search = { path: "", cacheDir, onDownload: (what: string) => asked.push(what) };
    const found = await Promise.all([findNatsServer(search, sources), findNatsServer(search, sources)]);
    expect(await findNatsServer(search, [])).toBe(found[0]);
    expect(asked).toEqual(["one", "one", "two", "two"]);
    expect(await readdir(cacheDir)).toEqual(["nats-server"]);
  });

  test("the error is one sentence with the reason", async () => {
    const sources = [{ what: "a mirror", fetch: () => Promise.reject(new Error("it is closed.")) }];
    const search = { path: "", cacheDir: join(directory, "cache") };
    await expect(findNatsServer(search, sources)).rejects.toThrow(
      /^nats-server was not found .*\(a mirror: it is closed\): install it.* or set NATS_URL/,
    );
  });
});

const checksum = (text: string) => createHash("sha256").update(text).digest("hex");

test("a download with another checksum is refused", async () => {
  const server = createServer((_, response) => response.end("tampered"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await expect(downloadChecked(url, checksum("genuine"))).rejects.toThrow("checksum");
  await expect(downloadChecked(url, checksum("tampered"))).resolves.toEqual(Buffer.from("tampered"));
  server.close();
});
