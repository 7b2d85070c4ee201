import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const VERSION = "2.10.26";
const BASE_URL = "https://github.com/nats-io/nats-server/releases/download";

const CHECKSUMS: Readonly<Record<string, string>> = {
  "linux-amd64": "6cbac67107e69c9e5a352d6f1555027f9da6a6b3fa81cceafefa9598b4451512",
  "linux-arm64": "aba1b169f18d4441b4b5d760805c562dccc57b425a7a213a82753a2269a27235",
  "darwin-amd64": "c90e94a1a9537304ab59f9056baca6a3138d17c13d7fe218ccbbd24ca08ee8e9",
  "darwin-arm64": "b1e2fd61507703ee81b0b2c1c35894beeebf908ddc7a4a5b7928aca438f716e6",
};

/**
 * Downloads and unpacks the official release below `workDir`, and returns the program's path. Throws if its checksum
 * differs.
 */
export async function fetchRelease(workDir: string): Promise<string> {
  const platform = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const expected = CHECKSUMS[platform];
  if (expected === undefined) throw new Error(`there is none for ${platform}`);
  const name = `nats-server-v${VERSION}-${platform}`;
  const archive = join(workDir, `${name}.tar.gz`);
  await writeFile(archive, await downloadChecked(`${BASE_URL}/v${VERSION}/${name}.tar.gz`, expected));
  await promisify(execFile)("tar", ["-xzf", archive, "-C", workDir]);
  return join(workDir, name, "nats-server");
}

/** Throws if the download fails or has another SHA-256. */
export async function downloadChecked(url: string, expected: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(120_000) }).catch((cause: Error) => {
    throw new Error(`${new URL(url).host} cannot be reached`, { cause });
  });
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const actual = createHash("sha256").update(bytes).digest("hex");
  if (actual !== expected) throw new Error(`the download's checksum is ${actual} instead of ${expected}`);
  return bytes;
}
