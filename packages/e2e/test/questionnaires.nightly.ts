import { describe } from "vitest";
import { testBigFive } from "./questionnaires/big-five.ts";
import { shareSystem } from "./shared-system.ts";

const shared = await shareSystem();

describe("the Big Five in several languages", () => {
  testBigFive(shared);
});
