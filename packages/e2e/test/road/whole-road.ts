import { afterAll, beforeAll, describe } from "vitest";
import { anonymity } from "./anonymity.ts";
import { collecting } from "./collecting.ts";
import { drafting } from "./drafting.ts";
import { startRoadSystem, stopRoadSystem } from "./road-system.ts";
import { telling } from "./telling.ts";

/** Tests the whole road on its own system. */
export function wholeRoad(): void {
  beforeAll(startRoadSystem);
  afterAll(stopRoadSystem);

  describe("the road from an empty workspace to a signed webhook", () => {
    drafting();
    collecting();
    telling();
  });

  describe("a completion on a survey with full anonymity", () => {
    anonymity();
  });
}
