import { expect, test } from "vitest";
import { errorsWhileKilled } from "./errors-while-killed.ts";

test("a database that is killed again and again is unavailable to who asks, and nothing else happens", async () => {
  expect(await errorsWhileKilled(30)).toEqual([]);
}, 1_200_000);
