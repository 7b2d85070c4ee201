import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import type { SharedSystem } from "../shared-system.ts";
import { generateClient, type Generator } from "./generate-client.ts";
import type { RunScenario, ScenarioInput } from "./run-scenario.ts";

/** Clients that two generators make from the document run a scenario. */
export function testGeneratedClients(shared: SharedSystem): void {
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
}
