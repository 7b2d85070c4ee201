import { waitFor } from "@canvass/testing";
import { describe, expect, test } from "vitest";
import { generateClient, type Generator } from "../generated-clients/generate-client.ts";
import type { ScenarioInput, RunScenario } from "../generated-clients/run-scenario.ts";
import { testAnswerTypes } from "../cli/answer-types.ts";
import { testLocalCopies } from "../cli/local-copies.ts";
import { testNewcomerScenario } from "../cli/newcomer-scenario.ts";
import { testToolsOverStdio } from "../cli/tools-over-stdio.ts";
import { testSurveysAsCode } from "../cli/surveys-as-code.ts";
import { testGuides } from "../guides/follow-guides.ts";
import { packOnce } from "../sdk/pack-once.ts";
import { testSdkPackage } from "../sdk/sdk-package.ts";
import type { SharedSystem } from "../shared-system.ts";

/** Generated clients, the SDK, the commands of `canvass` for callers, and the guides. */
export function testPrograms(shared: SharedSystem): void {
  const sdk = packOnce();

  test.each<Generator>(["hey-api", "openapi-fetch"])(
    "a client by %s, made from the document as it is, runs the scenario",
    async (name) => {
      const { system, receiver } = shared.demo;
      const { baseUrl } = system.local;
      const document: unknown = await (await fetch(`${baseUrl}/openapi.json`)).json();
      const { runScenario } = (await import(await generateClient(name, document))) as { runScenario: RunScenario };
      const { token } = await shared.newWorkspace();
      const listen: ScenarioInput["receiver"]["listen"] = (receive) =>
        receiver.replace(({ headers, body }) => {
          try {
            receive({ headers: headers as Record<string, string>, body });
            return 204;
          } catch {
            return 400;
          }
        });
      const result = await runScenario({
        url: new URL(baseUrl).origin,
        token,
        receiver: { url: receiver.url, listen },
      });
      expect(result).toMatchObject({
        style: "steps",
        mean: 4,
        steps: 5,
        ratings: [4],
        names: ["Lunch"],
        testOutcome: "success",
      });
      await waitFor(() => result.readWebhooks().includes(result.surveyId), { describe: "the completion by webhook" });
      expect(result.refused).toEqual(["must be text of 1 to 200 characters"]);
      await waitFor(async () => (await result.readEvents()).includes(result.surveyId), {
        describe: "the completion in the feed",
      });
      receiver.replace(undefined);
    },
    120_000,
  );

  describe("the programs of the SDK's README, with the packed package", () => {
    testSdkPackage(shared, sdk);
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

  describe("guides", () => {
    testGuides(shared, sdk);
  });
}
