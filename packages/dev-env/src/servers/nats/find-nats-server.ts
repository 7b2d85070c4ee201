import { access, constants, copyFile, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";
import { fetchDebianPackage } from "./debian-package.ts";
import { fetchRelease } from "./release-archive.ts";

export type NatsSearch = {
  path: string;
  cacheDir: string;
  onDownload?: ((what: string) => void) | undefined;
};

type Source = { what: string; fetch: (workDir: string) => Promise<string> };

const SOURCES: readonly Source[] = [
  { what: "Debian's nats-server package", fetch: fetchDebianPackage },
  { what: "the NATS project's release", fetch: fetchRelease },
];

/** Debian installs servers in /usr/sbin, which is often not in the PATH. */
const USUAL_DIRECTORIES = ["/usr/local/bin", "/usr/local/sbin", "/usr/sbin"];

/** Searches `path` and earlier downloads, then downloads a package or release. Throws OperationalError. */
export async function findNatsServer({ path, cacheDir, onDownload }: NatsSearch, sources = SOURCES): Promise<string> {
  const downloaded = join(cacheDir, "nats-server");
  const places = path.split(delimiter).filter(Boolean);
  for (const candidate of [...places.map((place) => join(place, "nats-server")), downloaded]) {
    if (await isExecutable(candidate)) return candidate;
  }
  const refusals: string[] = [];
  for (const source of sources) {
    onDownload?.(source.what);
    try {
      await fetchInto(downloaded, source);
      return downloaded;
    } catch (error) {
      refusals.push(`${source.what}: ${reasonOf(error).trim().replace(/\.$/, "")}`);
    }
  }
  const why = refusals.length === 0 ? "" : ` (${refusals.join("; ")})`;
  throw new OperationalError(
    `nats-server was not found and could not be downloaded${why}: install it, for example with "apt-get install nats-server", or set NATS_URL to a server you run.`,
  );
}

/**
 * Returns the path of NATS's program: searches the PATH, the usual directories and earlier downloads, then downloads
 * it. All data directories share downloads if the user's cache allows it.
 */
export async function natsServerPath(dataDir: string, onDownload: (what: string) => void): Promise<string> {
  const { PATH = "", XDG_CACHE_HOME: cacheHome } = process.env;
  const shared = join(cacheHome || join(homedir(), ".cache"), "canvass");
  const isUsable = mkdir(shared, { recursive: true }).then(() => access(shared, constants.W_OK));
  const cacheDir = await isUsable.then(
    () => shared,
    () => join(dataDir, "cache"),
  );
  return findNatsServer({ path: [PATH, ...USUAL_DIRECTORIES].join(delimiter), cacheDir, onDownload });
}

/** Each launcher downloads into its own directory; the rename is atomic. */
async function fetchInto(target: string, source: Source): Promise<void> {
  await mkdir(join(target, ".."), { recursive: true });
  const workDir = await mkdtemp(`${target}.`);
  try {
    const fresh = join(workDir, "fresh");
    await copyFile(await source.fetch(workDir), fresh, constants.COPYFILE_FICLONE);
    await rename(fresh, target);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
