import { waitFor } from "@canvass/testing";
import { describe, expect, test } from "vitest";
import { generateClient, type Generator } from "./generated-clients/generate-client.ts";
import type { WalkRoad } from "./generated-clients/walk-road.ts";
import { sdkPackage } from "./sdk/sdk-package.ts";
import { shareSystem } from "./shared-system.ts";

const shared = shareSystem();

test.each<Generator>(["hey-api", "openapi-fetch"])(
  "a client by %s, made from the document as it is, walks the whole road",
  async (name) => {
    const { baseUrl } = shared.demo.system.local;
    const document: unknown = await (await fetch(`${baseUrl}/openapi.json`)).json();
    const { walkRoad } = (await import(await generateClient(name, document))) as { walkRoad: WalkRoad };
    const { token } = await shared.newWorkspace();
    const end = await walkRoad({ url: new URL(baseUrl).origin, token });
    expect(end).toMatchObject({ style: "steps", mean: 4, names: ["Lunch"] });
    expect(end.refused).toEqual(["must be text of 1 to 200 characters"]);
    await waitFor(async () => (await end.readEvents()).includes(end.surveyId), {
      describe: "the completion in the feed",
    });
  },
  120_000,
);

describe("the programs of the SDK's README, with the packed package", () => {
  sdkPackage(shared);
});
