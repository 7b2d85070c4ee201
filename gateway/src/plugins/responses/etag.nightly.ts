import { expect, test } from "vitest";
import { parseEntityTags } from "./etag.ts";

test("a header of the largest size is read in no time", () => {
  const before = process.threadCpuUsage();
  for (const text of ['"', '""', 'W/"', '" ', '",', '"a']) parseEntityTags(text.repeat(16_384 / text.length));
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(200);
});
