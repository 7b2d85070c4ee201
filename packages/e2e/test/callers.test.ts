import { describe } from "vitest";
import { plainGrpc } from "./callers/plain-grpc.ts";
import { replays } from "./callers/replays.ts";
import { strangers } from "./callers/strangers.ts";
import { shareSystem } from "./shared-system.ts";

const shared = shareSystem();

describe("strangers", () => {
  strangers(shared);
});

describe("replays", () => {
  replays(shared);
});

// Behind replays, since its deliveries fail and are repeated later.
describe("plain gRPC", () => {
  plainGrpc(shared);
});
