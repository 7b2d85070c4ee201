import { expect, test } from "vitest";
import { errorsWhileKilled } from "./errors-while-killed.ts";

// Many times: killed-database.nightly.ts.
test("while a database is killed queries fail only with service_unavailable", async () => {
  expect(await errorsWhileKilled(3)).toEqual([]);
});
