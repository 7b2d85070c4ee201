import { afterAll, beforeAll, describe } from "vitest";
import { testAnonymity } from "./anonymity.ts";
import { testCollecting } from "./collecting.ts";
import { testDrafting } from "./drafting.ts";
import { startJourneySystem, stopJourneySystem } from "./journey-system.ts";
import { testNotifying } from "./notifying.ts";

/** Tests the whole journey on its own system. */
export function testWholeJourney(): void {
  beforeAll(startJourneySystem);
  afterAll(stopJourneySystem);

  describe("the journey from an empty workspace to a signed webhook", () => {
    testDrafting();
    testCollecting();
    testNotifying();
  });

  describe("a completion on a survey with full anonymity", () => {
    testAnonymity();
  });
}
