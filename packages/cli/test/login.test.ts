import { once } from "node:events";
import { mkdtempDisposable, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test, vi } from "vitest";
import { login } from "../src/commands/login.ts";

test.each([
  ["text/html", "<!doctype html><title>Shop</title>", "not one of the Canvass API"],
  ["application/json", '{"hello":"world"}', "is not Canvass"],
])("login keeps no token for a site that answers everything with %s", async (type, body, message) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-login-"));
  const server = createServer((_, response) => void response.writeHead(200, { "content-type": type }).end(body));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  using _input = vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from(["cvs_live_x\n"]) as never);
  const session = { env: { XDG_CONFIG_HOME: folder.path }, profile: "default" };
  const ended = login.run({ url, tokenStdin: true } as never, session as never);
  await expect(ended).rejects.toThrow(message);
  expect(await readdir(folder.path)).toEqual([]);
  server.close().closeAllConnections();
});
