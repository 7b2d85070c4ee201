import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { inflate } from "@sparticuz/chromium";
import type { TestServer } from "./test-server.ts";

const archives = ["chromium.br", "swiftshader.tar.br", "fonts.tar.br", "al2023.tar.br"];

/** Replaces the package's Lambda paths, and excludes the machine's fonts: text has the same width everywhere. */
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`;

/**
 * Unpacks the Chromium from npm, for Linux on x64, unless an earlier run did. The url is the folder of `chromium`, its
 * libraries (`al2023/lib`) and its font configuration (`fonts`). The folder stays for later runs.
 */
export async function unpackChromium(): Promise<TestServer> {
  const packed = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "..");
  const { version } = JSON.parse(await readFile(join(packed, "package.json"), "utf8")) as { version: string };
  const folder = join(WORKSPACE_ROOT, "node_modules/.cache", `chromium-${version}`);
  if (!existsSync(folder)) await unpack(join(packed, "bin"), folder);
  return { url: folder, async [Symbol.asyncDispose]() {} };
}

/** Each run unpacks into its own folder; the rename is atomic, and the first one wins. */
async function unpack(packed: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}.`);
  try {
    await inflateAll(packed, fresh);
    await writeFile(join(fresh, "fonts/fonts.conf"), fontsConf);
    await rename(fresh, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** `inflate` writes to the temporary folder, whose name it reads when it is called. */
function inflateAll(packed: string, folder: string): Promise<string[]> {
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = folder;
  const inflated = archives.map((name) => inflate(join(packed, name)));
  if (TMPDIR === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = TMPDIR;
  return Promise.all(inflated);
}
