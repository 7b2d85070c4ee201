import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { packPackage } from "../../../sdk/build/pack.ts";

/** Packs the SDK before the tests of the calling file. The path of the tarball is available only in hooks and tests. */
export function packOnce(): { readonly tarball: string } {
  const open = new AsyncDisposableStack();
  let tarball = "";
  beforeAll(async () => {
    const { path } = open.use(await mkdtempDisposable(join(tmpdir(), "canvass-sdk-")));
    tarball = await packPackage(path);
  });
  afterAll(() => open.disposeAsync());
  return {
    get tarball() {
      return tarball;
    },
  };
}
