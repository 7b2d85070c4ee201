import { describe } from "vitest";
import { testGeneratedClients } from "./generated-clients/generated-clients.ts";
import { testGuides } from "./guides/follow-guides.ts";
import { packOnce } from "./sdk/pack-once.ts";
import { testSdkPackage } from "./sdk/sdk-package.ts";
import { shareSystem } from "./shared-system.ts";

const shared = await shareSystem();
const sdk = packOnce();

describe("generated clients", () => {
  testGeneratedClients(shared);
});

describe("the programs of the SDK's README, with the packed package, by require", () => {
  testSdkPackage(shared, sdk, "require");
});

describe("guides", () => {
  testGuides(shared, sdk);
});
