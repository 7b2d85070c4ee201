export { createFolderStore } from "./folder-store.ts";
export { FileNotFound, type FileRange, type FileStore } from "./file-store.ts";
export {
  fileStoreEnvironment,
  fileStoreRule,
  fileStoreSettings,
  type FileStoreSettings,
} from "./file-store-settings.ts";
export { openFileStore } from "./open-file-store.ts";
