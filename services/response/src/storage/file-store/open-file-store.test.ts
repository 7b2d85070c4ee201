import { expect, onTestFinished, test, vi } from "vitest";
import type { FileStore } from "./file-store.ts";
import { openFileStore } from "./open-file-store.ts";

test("a client of S3 that could not be opened is opened with the next call, once", async () => {
  const deleteFolder = vi.fn<FileStore["deleteFolder"]>(async () => undefined);
  const opened = { deleteFolder, [Symbol.asyncDispose]: async () => undefined };
  const createS3Store = vi.fn<() => Partial<FileStore>>(() => opened);
  createS3Store.mockImplementationOnce(() => {
    throw new Error("too many open files");
  });
  vi.doMock("./s3-store.ts", () => ({ createS3Store }));
  onTestFinished(() => vi.doUnmock("./s3-store.ts"));
  await using store = openFileStore({ bucket: "b", region: "eu-central-1" });
  await expect(store.deleteFolder("exports")).rejects.toThrow("too many open files");
  await Promise.all([store.deleteFolder("exports"), store.deleteFolder("exports")]);
  await store.deleteFolder("exports");
  expect(createS3Store).toHaveBeenCalledTimes(2);
  expect(deleteFolder).toHaveBeenCalledTimes(3);
});
