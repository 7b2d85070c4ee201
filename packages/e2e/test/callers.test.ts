import { sharedByFile } from "@canvass/testing/shared-by-file";
import { describe } from "vitest";
import { plainGrpc } from "./callers/plain-grpc.ts";
import { replays } from "./callers/replays.ts";
import { revocation } from "./callers/revocation.ts";
import { rights } from "./callers/rights.ts";
import { unauthorizedCallers } from "./callers/unauthorized-callers.ts";
import { tools } from "./callers/tools.ts";
import { startSecondGateway } from "./second-gateway.ts";
import { shareSystem } from "./shared-system.ts";

const shared = await shareSystem();
const gateway = await sharedByFile(startSecondGateway(shared.demo.system));

describe("unauthorized callers", () => {
  unauthorizedCallers(shared);
});

describe("replays", () => {
  replays(shared);
});

// Behind replays, since its deliveries fail and are repeated later.
describe("plain gRPC", () => {
  plainGrpc(shared);
});

describe("rights", () => {
  rights(shared, () => gateway);
});

describe("revocation", () => {
  revocation(shared, () => gateway);
});

describe("tools", () => {
  tools(shared);
});
