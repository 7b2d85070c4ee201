import { lazy } from "@canvass/telemetry/single-flight";
import type { FileStore } from "./file-store.ts";
import type { FileStoreSettings, S3Settings } from "./file-store-settings.ts";
import { createFolderStore } from "./folder-store.ts";

export function openFileStore(settings: FileStoreSettings): FileStore {
  return "folder" in settings ? createFolderStore(settings.folder) : openS3Store(settings);
}

/** Loads the S3 client lazily: it takes some ten MiB. */
function openS3Store(settings: S3Settings): FileStore {
  let store: FileStore | undefined;
  const opened = lazy(async () => (store = (await import("./s3-store.ts")).createS3Store(settings)));
  return {
    write: async (...file) => (await opened()).write(...file),
    async *read(...file) {
      yield* (await opened()).read(...file);
    },
    deleteFolder: async (folder) => (await opened()).deleteFolder(folder),
    [Symbol.asyncDispose]: async () => store?.[Symbol.asyncDispose](),
  };
}
