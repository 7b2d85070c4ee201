import { expect, test } from "vitest";
import { errorsWhileKilled } from "./errors-while-killed.ts";

// Many times: killed-database.nightly.ts.
test("a database that is killed is unavailable to who asks, and nothing else happens", async () => {
  expect(await errorsWhileKilled(3)).toEqual([]);
});
