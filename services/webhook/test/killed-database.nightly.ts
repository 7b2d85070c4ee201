import { expect, test } from "vitest";
import { errorsWhileKilled } from "./errors-while-killed.ts";

test("while a database is killed again and again queries fail only with service_unavailable", async () => {
  expect(await errorsWhileKilled(30)).toEqual([]);
}, 1_200_000);
