import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { FileNotFound, requireKey, storeUnavailable, type FileStore } from "./file-store.ts";
import { markSource } from "./mark-source.ts";

export function createFolderStore(root: string): FileStore {
  const pathOf = (key: string): string => {
    requireKey(key);
    return join(root, key);
  };
  return {
    async write(key, chunks, signal) {
      const path = pathOf(key);
      // In the same folder, so that the rename is atomic and `deleteFolder` finds leftovers of a killed process.
      const incoming = `${path}.${randomUUID()}.incoming`;
      const source = markSource(chunks);
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const file = createWriteStream(incoming, { flush: true, mode: 0o600 });
        await pipeline(source.chunks, file, { ...(signal && { signal }) });
        await rename(incoming, path);
        await syncFolder(dirname(path));
        return file.bytesWritten;
      } catch (error) {
        await rm(incoming, { force: true }).catch(() => undefined);
        signal?.throwIfAborted();
        source.rethrow();
        throw storeUnavailable(error);
      }
    },
    async *read(key, range) {
      const path = pathOf(key);
      try {
        yield* createReadStream(path, range) as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw (error as NodeJS.ErrnoException).code === "ENOENT" ? new FileNotFound() : storeUnavailable(error);
      }
    },
    async deleteFolder(folder) {
      const path = pathOf(folder);
      try {
        await rm(path, { recursive: true, force: true });
      } catch (error) {
        throw storeUnavailable(error);
      }
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Writes the entries of the folder to disk: otherwise a power failure could lose a new file. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
