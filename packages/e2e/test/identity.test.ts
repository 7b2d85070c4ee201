import { afterAll, beforeAll, describe } from "vitest";
import { revocation } from "./identity/revocation.ts";
import { rights } from "./identity/rights.ts";
import { startSecondGateway, type SecondGateway } from "./second-gateway.ts";
import { shareSystem } from "./shared-system.ts";

const shared = shareSystem();
let gateway: SecondGateway;
beforeAll(async () => {
  gateway = await startSecondGateway(shared.demo.system);
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

describe("rights", () => {
  rights(shared, () => gateway);
});

describe("revocation", () => {
  revocation(shared, () => gateway);
});
