import { test } from "vitest";
import { expectOnlyUnavailable } from "./expect-only-unavailable.ts";

test("a database that is killed again and again is unavailable to who asks, and nothing else happens", async () => {
  await expectOnlyUnavailable(30);
}, 1_200_000);
