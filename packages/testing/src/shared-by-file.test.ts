import { expect, test } from "vitest";
import { sharedByFile } from "./shared-by-file.ts";

test("a resource that starts too late is disposed", async () => {
  const starting = Promise.withResolvers<AsyncDisposable>();
  const closed = Promise.withResolvers<void>();
  await expect(sharedByFile(starting.promise, 1)).rejects.toThrow("nothing has started in time");
  starting.resolve({ [Symbol.asyncDispose]: async () => closed.resolve() });
  await closed.promise;
});
