import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";

test("a line names what failed and never the row a database quotes", () => {
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
  const log = createLogger({ service: "test", pretty: false, destination: sink });
  const refused = Object.assign(
    new Error("refused", { cause: Object.assign(new Error("inner"), { detail: "row 42" }) }),
    {
      code: "23514",
      detail: "Failing row contains (row 42)",
      meta: { cause: { detail: "row 42" } },
    },
  );
  log.error({ err: refused, token: "cvs_live_x", request: { authorization: "Bearer x" } }, "failed");
  const [line] = lines;
  expect(line).not.toMatch(/row 42|cvs_live|Bearer/);
  expect(JSON.parse(line!)).toMatchObject({ level: "error", service: "test", msg: "failed", err: { code: "23514" } });
});
