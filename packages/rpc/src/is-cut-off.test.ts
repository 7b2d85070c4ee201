import { pipeline } from "node:stream/promises";
import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { isCutOff } from "./is-cut-off.ts";

test("an aborted or failed upload is cut off, in any wrapping", async () => {
  const source = new Readable({ read: () => undefined });
  const broken = pipeline(source, new PassThrough()).catch((error: unknown) => error);
  source.destroy();
  const reset = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  for (const error of [await broken, AbortSignal.abort().reason, reset, new Error("wrapped", { cause: reset })]) {
    expect(isCutOff(error)).toBe(true);
  }
});

test.each([
  new TypeError("x is undefined"),
  Object.assign(new Error("gone"), { code: "ENOENT" }),
  "ECONNRESET",
  undefined,
])("%s is not cut off", (error) => expect(isCutOff(error)).toBe(false));
