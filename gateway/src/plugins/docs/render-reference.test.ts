import { expect, test } from "vitest";
import { renderReference } from "./render-reference.ts";

const programOf = (text: string) => new URL(`data:text/javascript,${text}`);

test.each([
  ["ends without a word", "process.exit(0)", 600_000, /ended with code 0/],
  ["throws", "throw new Error('no room')", 600_000, /no room/],
  ["hangs", "for (;;);", 100, /timeout/],
])("a thread that %s fails the page", async (_how, text, longestMs, message) => {
  const thread = { program: programOf(text), longestMs };
  await expect(renderReference({}, thread)).rejects.toThrow(message);
});
