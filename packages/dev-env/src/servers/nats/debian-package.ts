import { execFile } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const TIMEOUT_MS = 180_000;

/**
 * Downloads and unpacks the package below `workDir` without root; apt checks its signature. Returns the program's path.
 */
export async function fetchDebianPackage(workDir: string): Promise<string> {
  try {
    await download(workDir, []);
  } catch {
    const ownState = await ownAptState(workDir);
    await run("apt-get", [...ownState, "update"], { cwd: workDir, timeout: TIMEOUT_MS }).catch(shorten);
    await download(workDir, ownState);
  }
  const archive = (await readdir(workDir)).find((name) => name.endsWith(".deb"));
  if (archive === undefined) throw new Error("apt-get downloaded nothing");
  const unpacked = join(workDir, "unpacked");
  await run("dpkg-deb", ["-x", archive, unpacked], { cwd: workDir, timeout: TIMEOUT_MS });
  return join(unpacked, "usr/sbin/nats-server");
}

// If root runs apt, apt downloads as another user, who cannot write here.
const UNSANDBOXED = ["-o", "APT::Sandbox::User=root"];

async function download(workDir: string, options: string[]): Promise<void> {
  const words = [...UNSANDBOXED, ...options, "download", "nats-server"];
  await run("apt-get", words, { cwd: workDir, timeout: TIMEOUT_MS }).catch(shorten);
}

async function ownAptState(workDir: string): Promise<string[]> {
  const state = join(workDir, "apt-state");
  const cache = join(workDir, "apt-cache");
  await mkdir(join(state, "lists/partial"), { recursive: true });
  await mkdir(join(cache, "archives/partial"), { recursive: true });
  return [...UNSANDBOXED, "-o", `Dir::State=${state}`, "-o", `Dir::Cache=${cache}`];
}

function shorten(error: unknown): never {
  const failure = error as { code?: unknown; stderr?: string };
  if (failure.code === "ENOENT") throw new Error("this machine has no apt-get", { cause: error });
  const complaint = failure.stderr?.split("\n").find((line) => line.startsWith("E:"));
  throw new Error(complaint?.slice(2).trim() ?? "apt-get failed", { cause: error });
}
