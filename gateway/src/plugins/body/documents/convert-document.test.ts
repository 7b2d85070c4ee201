import { afterEach, expect, test } from "vitest";
import { createDocumentConverter, type Conversion, type DocumentConverter } from "./convert-document.ts";

const read = (text: string, isYaml: boolean): Conversion => {
  const bytes = new TextEncoder().encode(text);
  return { kind: "read", isYaml, bytes, coding: undefined, mostBytes: bytes.length };
};
const program = new URL("./document-worker.ts", import.meta.url);
let converter: DocumentConverter;
afterEach(() => converter[Symbol.asyncDispose]());

test("a document that takes more memory than a thread has is refused as too large, and the next one is read", async () => {
  converter = createDocumentConverter({ program, mostMemory: 48, idleMs: 600_000 });
  const heavy = converter.convert("a", read("- [a, b]\n".repeat(60_000), true), 600_000);
  await expect(heavy).rejects.toMatchObject({ code: "payload_too_large", message: expect.stringMatching(/memory/) });
  expect(await converter.convert("a", read("a: 1", true), 600_000)).toMatchObject({ text: '{"a":1}' });
});

test("JSON never waits behind YAML, of its own workspace or another", async () => {
  const hanging = new URL(
    `data:text/javascript,import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ work }) => { if (!work.isYaml) parentPort.postMessage({ outcome: { result: "read" } }); });`,
  );
  converter = createDocumentConverter({ program: hanging, mostMemory: 48, idleMs: 600_000 });
  const stuck = ["a", "a", "b", "c"].map((owner) => converter.convert(owner, read("a: 1", true), 600_000));
  for (const owner of ["a", "d"]) expect(await converter.convert(owner, read("{}", false), 600_000)).toBe("read");
  const ends = Promise.allSettled(stuck);
  await converter[Symbol.asyncDispose]();
  expect((await ends).map(({ status }) => status)).toEqual(stuck.map(() => "rejected"));
});
