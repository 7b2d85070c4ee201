import { once } from "node:events";
import { mkdir, mkdtemp, readFile, readdir, rm, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCanvass } from "@canvass/sdk";
import { expect, test } from "vitest";
import { exportToFile } from "../src/exports/export-to-file.ts";

const content = "0123456789";
const meta = { timestamp: "2026-11-26T00:00:00.000Z", version: "1.0", requestId: "r" };
const job = { id: "e1", status: "completed", percentComplete: 100, size: content.length, rows: 1, format: "csv" };

test("two exports to one file do not mix: the second is refused while the first downloads", async () => {
  const folder = await mkdtemp(join(tmpdir(), "canvass-exports-"));
  await using open = new AsyncDisposableStack();
  open.defer(() => rm(folder, { recursive: true }));
  const [begun, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = createServer(({ url: path }, response) => {
    if (path === "/file") {
      response.writeHead(200, { etag: '"a"', "content-length": content.length }).write(content.slice(0, 5));
      begun.resolve();
      return void free.promise.then(() => response.end(content.slice(5)));
    }
    const data = path!.endsWith("/download") ? { url: `${url}/file` } : job;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, data, meta }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  open.defer(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { XDG_STATE_HOME: join(folder, "state") };
  const wish = { env, url, surveyId: "s", wish: { format: "csv" as const }, replace: false, progress: () => {} };
  const path = join(folder, "answers.csv");
  const run = () => exportToFile(createCanvass({ url, token: "cvs_live_x" }), { ...wish, path });
  const first = run();
  await begun.promise;
  await expect(run()).rejects.toThrow(`writes ${path}`);
  free.resolve();
  await first;
  expect(await readFile(path, "utf8")).toBe(content);
  expect((await readdir(folder)).toSorted()).toEqual(["answers.csv", "state"]);
});

test("a folder that is not there, and a name of something other than a file, are refused before an export is made", async () => {
  const folder = await mkdtemp(join(tmpdir(), "canvass-exports-"));
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  await mkdir(join(folder, "taken.csv"));
  // Nothing answers there, so a request would fail otherwise.
  const canvass = createCanvass({ url: "http://127.0.0.1:1", token: "cvs_live_x", retries: 0 });
  const env = { XDG_STATE_HOME: join(folder, "state") };
  const wish = { env, url: "", surveyId: "s", wish: { format: "csv" as const }, replace: true, progress: () => {} };
  const at = (name: string) => exportToFile(canvass, { ...wish, path: join(folder, name) });
  await expect(at("taken.csv")).rejects.toThrow("is not a file");
  await symlink("/dev/null", join(folder, "device.csv"));
  await expect(at("device.csv")).rejects.toThrow("is not a file");
  await expect(at("no/answers.csv")).rejects.toThrow("cannot be written (ENOENT");
});
