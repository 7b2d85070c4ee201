import type { FileStore } from "../../storage/file-store/file-store.ts";
import { expect, test } from "vitest";
import { readPart, writePart } from "./parts.ts";

/** Keeps one file in memory. */
function oneFile(): Pick<FileStore, "read" | "write"> {
  let chunks: Uint8Array[] = [];
  return {
    write: async (_key, given) => (chunks = await Array.fromAsync(given)).length,
    async *read() {
      yield* chunks;
    },
  };
}

async function groupsOf(lines: string[]) {
  const files = oneFile() as FileStore;
  async function* given() {
    yield lines.map((line) => `${line}\n`).join("");
  }
  await writePart(files, "part", given());
  return Array.fromAsync(readPart(files, "part"));
}

test("a part is read in groups of few rows, and of fewer when they are long", async () => {
  const short = Array.from({ length: 450 }, (_, index) => JSON.stringify([index, "a\u2028b"]));
  const groups = await groupsOf(short);
  expect(groups.map((rows) => rows.length)).toEqual([200, 200, 50]);
  expect(groups.flat().map((row) => JSON.stringify(row))).toEqual(short);
  const long = Array.from({ length: 10 }, (_, index) => JSON.stringify([index, "x".repeat(400_000)]));
  expect((await groupsOf(long)).map((rows) => rows.length)).toEqual([3, 3, 3, 1]);
});
