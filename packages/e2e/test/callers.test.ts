import { sharedByFile } from "@canvass/testing/shared-by-file";
import { describe } from "vitest";
import { testPlainGrpc } from "./callers/plain-grpc.ts";
import { testPrograms } from "./callers/programs.ts";
import { testReplays } from "./callers/replays.ts";
import { testRevocation } from "./callers/revocation.ts";
import { testRights } from "./callers/rights.ts";
import { testUnauthorizedCallers } from "./callers/unauthorized-callers.ts";
import { testTools } from "./callers/tools.ts";
import { startSecondGateway } from "./second-gateway.ts";
import { shareSystem } from "./shared-system.ts";

const shared = await shareSystem();
const gateway = await sharedByFile(startSecondGateway(shared.demo.system));

describe("unauthorized callers", () => {
  testUnauthorizedCallers(shared);
});

describe("replays", () => {
  testReplays(shared);
});

// After replays: its deliveries fail, and their retries change rows.
describe("plain gRPC", () => {
  testPlainGrpc(shared);
});

describe("rights", () => {
  testRights(shared, () => gateway);
});

describe("revocation", () => {
  testRevocation(shared, () => gateway);
});

describe("tools", () => {
  testTools(shared);
});

describe("programs", () => {
  testPrograms(shared);
});
