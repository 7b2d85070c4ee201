import { test } from "vitest";
import { expectOnlyUnavailable } from "./expect-only-unavailable.ts";

// Many times: killed-database.nightly.ts.
test("a database that is killed is unavailable to who asks, and nothing else happens", () => expectOnlyUnavailable(3));
