import { lazy } from "@canvass/telemetry/single-flight";
import type { FileStore } from "./file-store.ts";
import type { FileStoreSettings } from "./file-store-settings.ts";
import { createFolderStore } from "./folder-store.ts";

/** Loads the S3 client lazily: it takes some ten MiB. */
export function openFileStore(settings: FileStoreSettings): FileStore {
  if ("folder" in settings) return createFolderStore(settings.folder);
  return openLazily(async () => (await import("./s3-store.ts")).createS3Store(settings));
}

/** Opens the store with its first call. A call after a failure tries again. */
export function openLazily(open: () => Promise<FileStore>): FileStore {
  let store: FileStore | undefined;
  const opened = lazy(async () => (store = await open()));
  return {
    write: async (...file) => (await opened()).write(...file),
    async *read(...file) {
      yield* (await opened()).read(...file);
    },
    deleteFolder: async (folder) => (await opened()).deleteFolder(folder),
    [Symbol.asyncDispose]: async () => store?.[Symbol.asyncDispose](),
  };
}
