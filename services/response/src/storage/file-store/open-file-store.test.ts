import { expect, test, vi } from "vitest";
import type { FileStore } from "./file-store.ts";
import { openLazily } from "./open-file-store.ts";

test("a store that could not be opened is opened with the next call, once", async () => {
  const deleteFolder = vi.fn<FileStore["deleteFolder"]>(async () => undefined);
  const opened = { deleteFolder, [Symbol.asyncDispose]: async () => undefined } as unknown as FileStore;
  const open = vi.fn<() => Promise<FileStore>>(async () => opened);
  open.mockRejectedValueOnce(new Error("too many open files"));
  await using store = openLazily(open);
  await expect(store.deleteFolder("exports")).rejects.toThrow("too many open files");
  await Promise.all([store.deleteFolder("exports"), store.deleteFolder("exports")]);
  await store.deleteFolder("exports");
  expect(open).toHaveBeenCalledTimes(2);
  expect(deleteFolder).toHaveBeenCalledTimes(3);
});
