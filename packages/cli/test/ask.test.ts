import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { ask } from "../src/session/ask.ts";

test.each(["\u0003", "\u0004"])("leaving a prompt by %j says that nothing has changed", async (key) => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => terminal });
  using _ = vi.spyOn(process, "stdin", "get").mockReturnValue(terminal as unknown as typeof process.stdin);
  const asked = ask("Token: ", { hidden: true, instead: "--token-stdin" });
  terminal.write(key);
  await expect(asked).rejects.toThrow("Nothing was entered; nothing has changed.");
});
