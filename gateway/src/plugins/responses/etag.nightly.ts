import { expect, test } from "vitest";
import { parseEntityTags } from "./etag.ts";

test("six headers of the largest size are parsed in 200 ms of CPU time", () => {
  const before = process.threadCpuUsage();
  for (const text of ['"', '""', 'W/"', '" ', '",', '"a']) parseEntityTags(text.repeat(16_384 / text.length));
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(200);
});
