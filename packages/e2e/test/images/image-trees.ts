import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { WORKSPACE_ROOT } from "@canvass/processes";
import pLimit from "p-limit";
import { image } from "./dockerfile.ts";

const run = promisify(execFile);

/** File trees of images, built by the Dockerfile's last command. Disposing deletes them. */
export interface ImageTrees extends AsyncDisposable {
  folderOf(name: string): string;
}

export async function assembleTrees(names: readonly string[]): Promise<ImageTrees> {
  const root = await mkdtemp(join(tmpdir(), "canvass-images-"));
  const folderOf = (name: string) => join(root, name);
  const assemble = image.runs.at(-1)!;
  const limit = pLimit(3);
  try {
    await Promise.all(
      names.map((name) =>
        limit(() => {
          const command = assemble.replace("/tree", folderOf(name));
          return run("sh", ["-c", command], { cwd: WORKSPACE_ROOT, env: { ...process.env, PROCESS: name } });
        }),
      ),
    );
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
  return { folderOf, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
