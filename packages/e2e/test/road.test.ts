import { afterAll, beforeAll, describe } from "vitest";
import { expectNoHolds } from "./loop-holds.ts";
import { anonymity } from "./road/anonymity.ts";
import { collecting } from "./road/collecting.ts";
import { drafting } from "./road/drafting.ts";
import { demo, startRoadSystem, stopRoadSystem } from "./road/road-system.ts";
import { telling } from "./road/telling.ts";

beforeAll(startRoadSystem, 120_000);
afterAll(stopRoadSystem);
expectNoHolds(() => demo.system);

describe("the road from an empty workspace to a signed webhook", () => {
  drafting();
  collecting();
  telling();
});

describe("a completion on a survey with full anonymity", () => {
  anonymity();
});
