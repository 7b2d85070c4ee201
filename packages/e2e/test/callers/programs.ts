import { describe } from "vitest";
import { testAnswerTypes } from "../cli/answer-types.ts";
import { testLocalCopies } from "../cli/local-copies.ts";
import { testNewcomerScenario } from "../cli/newcomer-scenario.ts";
import { testToolsOverStdio } from "../cli/tools-over-stdio.ts";
import { testSurveysAsCode } from "../cli/surveys-as-code.ts";
import { packOnce } from "../sdk/pack-once.ts";
import { testSdkPackage } from "../sdk/sdk-package.ts";
import type { SharedSystem } from "../shared-system.ts";

/** The SDK, and the commands of `canvass` for callers. Generated clients and the guides: programs.nightly.ts. */
export function testPrograms(shared: SharedSystem): void {
  const sdk = packOnce();

  describe("the programs of the SDK's README, with the packed package, by import", () => {
    testSdkPackage(shared, sdk, "import");
  });

  describe("the commands of canvass for callers", () => {
    testNewcomerScenario(shared);
  });

  describe("canvass mcp", () => {
    testToolsOverStdio(shared);
  });

  describe("canvass types", () => {
    testAnswerTypes(shared);
  });

  describe("canvass sync", () => {
    testLocalCopies(shared);
  });

  describe("surveys as code", () => {
    testSurveysAsCode(shared);
  });
}
