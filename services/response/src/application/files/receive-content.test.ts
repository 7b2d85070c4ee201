import { create } from "@bufbuild/protobuf";
import { UploadFileRequestSchema, type UploadFileRequest } from "@canvass/proto/files";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { receiveContent } from "./receive-content.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const request = (part: UploadFileRequest["part"]) => create(UploadFileRequestSchema, { part });
const rules = { maxBytes: 10_000_000, extensions: [] };

/** Sends `chunks` chunks of `bytes` bytes, one every `seconds` seconds. */
async function* everySeconds(seconds: number, chunks: number, bytes: number): AsyncGenerator<UploadFileRequest> {
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    await vi.advanceTimersByTimeAsync(seconds * 1_000);
    yield request({ case: "piece", value: Buffer.alloc(bytes, "a") });
  }
  yield request({ case: "whole", value: BigInt(chunks * bytes) });
}

const receive = (requests: AsyncIterator<UploadFileRequest>, perChunk = () => Promise.resolve()) =>
  receiveContent(requests, { name: "a.txt", rules }, async (chunks) => {
    for await (const _ of chunks) await perChunk();
  });

test("an upload below the minimum rate is aborted, however often a byte arrives", async () => {
  await expect(receive(everySeconds(10, 1_000, 10))).rejects.toMatchObject({ code: "request_timeout" });
});

test("a slow connection has the time it needs, and so has a slow file store", async () => {
  expect(await receive(everySeconds(50, 20, 300_000))).toMatchObject({ sizeBytes: 6_000_000 });
  const slowStore = async () => void (await vi.advanceTimersByTimeAsync(40_000));
  expect(await receive(everySeconds(1, 40, 1_000), slowStore)).toMatchObject({ sizeBytes: 40_000 });
});

test("a disconnected sender makes an incomplete upload; other errors pass through", async () => {
  async function* failing(error: Error) {
    yield request({ case: "piece", value: Buffer.from("hello") });
    throw error;
  }
  const gone = Object.assign(new Error("Premature close"), { code: "ERR_STREAM_PREMATURE_CLOSE" });
  await expect(receive(failing(gone))).rejects.toMatchObject({ code: "request_timeout" });
  await expect(receive(failing(new Error("defect")))).rejects.toThrow("defect");
});
