import { describe } from "vitest";
import { testAccessChanges } from "./promised-times/access-changes.ts";
import { deadlineMs, testOutageTimes } from "./promised-times/outage-times.ts";
import { testStopTimes } from "./promised-times/stop-times.ts";
import { shareSystem } from "./shared-system.ts";

const shared = await shareSystem({ env: { CANVASS_REQUEST_TIMEOUT_MS: String(deadlineMs) } });

describe("access that changes", () => {
  testAccessChanges(shared);
});

describe("outages", () => {
  testOutageTimes(shared);
});

describe("stops", () => {
  testStopTimes(shared);
});
