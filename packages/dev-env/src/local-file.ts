import { rm } from "node:fs/promises";
import type { LocalState } from "@canvass/operator/local-file";
import { writePrivateJson } from "@canvass/provisioning";

export type LocalFile = AsyncDisposable & {
  update: () => void;
};

/** The file exists only while the system runs; if this process is killed, the next start removes it. */
export async function keepLocalFile(path: string, state: () => LocalState): Promise<LocalFile> {
  let closed = false;
  let writing = writePrivateJson(path, state());
  const writeAgain = async () => {
    if (!closed) await writePrivateJson(path, state());
  };
  await writing;
  return {
    update() {
      writing = writing.then(writeAgain).catch(() => {});
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await writing;
      await rm(path, { force: true });
    },
  };
}
