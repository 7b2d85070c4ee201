import type { FileStore } from "./file-store.ts";
import type { FileStoreSettings } from "./file-store-settings.ts";
import { createFolderStore } from "./folder-store.ts";

/** Opens the store. Loads the client of S3 only where a bucket is named: it takes some ten MiB. */
export async function openFileStore(settings: FileStoreSettings): Promise<FileStore> {
  if ("folder" in settings) return createFolderStore(settings.folder);
  const { createS3Store } = await import("./s3-store.ts");
  return createS3Store(settings);
}
