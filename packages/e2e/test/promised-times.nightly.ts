import { describe } from "vitest";
import { accessChanges } from "./promised-times/access-changes.ts";
import { deadlineMs, outageTimes } from "./promised-times/outage-times.ts";
import { stopTimes } from "./promised-times/stop-times.ts";
import { shareSystem } from "./shared-system.ts";

const shared = await shareSystem({ env: { CANVASS_REQUEST_TIMEOUT_MS: String(deadlineMs) } });

describe("access that changes", () => {
  accessChanges(shared);
});

describe("outages", () => {
  outageTimes(shared);
});

describe("stops", () => {
  stopTimes(shared);
});
