import { afterAll, beforeAll, describe } from "vitest";
import { anonymity } from "./anonymity.ts";
import { collecting } from "./collecting.ts";
import { drafting } from "./drafting.ts";
import { startJourneySystem, stopJourneySystem } from "./journey-system.ts";
import { notifying } from "./notifying.ts";

/** Tests the whole journey on its own system. */
export function wholeJourney(): void {
  beforeAll(startJourneySystem);
  afterAll(stopJourneySystem);

  describe("the journey from an empty workspace to a signed webhook", () => {
    drafting();
    collecting();
    notifying();
  });

  describe("a completion on a survey with full anonymity", () => {
    anonymity();
  });
}
