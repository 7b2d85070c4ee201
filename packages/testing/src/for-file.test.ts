import { expect, test } from "vitest";
import { forFile } from "./for-file.ts";

test("what starts too late is closed", async () => {
  const starting = Promise.withResolvers<AsyncDisposable>();
  const closed = Promise.withResolvers<void>();
  await expect(forFile(starting.promise, 1)).rejects.toThrow("nothing has started in time");
  starting.resolve({ [Symbol.asyncDispose]: async () => closed.resolve() });
  await closed.promise;
});
