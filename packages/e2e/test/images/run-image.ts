import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { openRoster, respondsOk, type Roster } from "@canvass/dev-env/processes";
import { waitFor } from "@canvass/testing";
import { image } from "./dockerfile.ts";

/**
 * Does what a container engine does, with Linux tools: its own mounts and process ids, the tree as a read-only root
 * file system, /proc, /run, /tmp and /data in memory, mounted files, the Dockerfile's user. The program becomes process 1. Arguments:
 * tree, user, working directory, `source:target` ..., `--`, command.
 */
const CONTAIN = `
set -e
tree=$1; user=$2; folder=$3; shift 3
mount --make-rprivate /
mount --bind "$tree" "$tree"
mount -t proc proc "$tree/proc"
for memory in run tmp data; do mount -t tmpfs -o mode=1777 tmpfs "$tree/$memory"; done
mkdir "$tree/run/secrets"
while [ "$1" != -- ]; do
  : >"$tree\${1#*:}"
  mount --bind -o ro "\${1%%:*}" "$tree\${1#*:}"
  shift
done
shift
mount -o remount,bind,ro "$tree"
exec chroot --userspec="$user" "$tree" /usr/local/bin/node -e 'process.chdir(process.argv[1]); process.execve(process.argv[2], process.argv.slice(2), process.env)' "$folder" "$@"
`;

let roster: Roster | undefined;

/**
 * Call before starting the first container. Ends all containers when disposed; if this process was killed, a later call
 * does.
 */
export async function endContainersLater(): Promise<AsyncDisposable> {
  roster = await openRoster();
  return roster;
}

/**
 * Kills the outer `unshare` with its parent, and all in its PID namespace with it. A container's program, which changes its
 * user, would lose such a signal.
 */
const LEASH = ["--pid", "--fork", "--kill-child"];

/** Only root may do this without further setup. */
export const canContain = process.platform === "linux" && process.getuid?.() === 0;

export interface Container extends AsyncDisposable {
  output: () => string;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  /** Sends SIGTERM to process 1. */
  stop: () => Promise<void>;
}

export interface ContainerOptions {
  /** Replaces the Dockerfile's CMD. */
  args?: readonly string[];
  /** Replaces the Dockerfile's ENTRYPOINT. */
  entryPoint?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Paths outside the container, by their paths inside it, in /run. */
  files?: Readonly<Record<string, string>>;
}

/** Starts a program in an image's tree with the Dockerfile's settings. */
export function runImage(tree: string, options: ContainerOptions = {}): Container {
  const { args = image.command, entryPoint = image.entryPoint, env = {}, files = {} } = options;
  const mounts = Object.entries(files).map(([inside, outside]) => `${outside}:${inside}`);
  const command = [CONTAIN, "contain", tree, image.user, image.directory, ...mounts, "--", ...entryPoint, ...args];
  const child = spawn("unshare", [...LEASH, "unshare", "--mount", "--pid", "--fork", "sh", "-c", ...command], {
    env: { PATH: process.env["PATH"], ...image.environment, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  roster!.list("SIGINT")(child);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(String(chunk)));
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    output: () => chunks.join(""),
    ended,
    stop: async () => void process.kill(await firstProcess(child.pid!), "SIGTERM"),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Process 1 of the container is the only child of the spawned program's only child. */
async function firstProcess(spawned: number): Promise<number> {
  return onlyChild(await onlyChild(spawned));
}

async function onlyChild(parent: number): Promise<number> {
  const pid = Number((await readFile(`/proc/${parent}/task/${parent}/children`, "utf8")).trim());
  // `kill` of 0 would end this process and its group.
  if (!(pid > 0)) throw new Error(`process ${parent} has not one child`);
  return pid;
}

/** Runs a program to its end. Throws with its output unless it succeeds. */
export async function runToEnd(tree: string, options: ContainerOptions): Promise<string> {
  await using container = runImage(tree, options);
  const code = await container.ended;
  if (code !== 0) throw new Error(`${options.args?.join(" ")} ended with ${code}: ${container.output()}`);
  return container.output();
}

/** Waits until the program is ready, then requires the Dockerfile's health check to agree. */
export async function waitHealthy(tree: string, container: Container, env: Record<string, string>): Promise<void> {
  const ready = `http://127.0.0.1:${env["CANVASS_OPS_PORT"]}/readyz`;
  const gone = container.ended.then((code) => {
    throw new Error(`it ended with ${code}: ${container.output()}`);
  });
  await Promise.race([waitFor(() => respondsOk(ready), { describe: `${tree} to be ready`, timeoutMs: 400_000 }), gone]);
  const words = JSON.parse(/CMD (\[.*\])/.exec(image.healthCheck)![1]!) as string[];
  await using check = runImage(tree, { entryPoint: words, args: [], env });
  if ((await check.ended) !== 0) throw new Error(`${tree} is ready, but its health check fails: ${check.output()}`);
}
