import { describe } from "vitest";
import { bigFive } from "./questionnaires/big-five.ts";
import { customers } from "./questionnaires/customers.ts";
import { household } from "./questionnaires/household.ts";
import { shareSystem } from "./shared-system.ts";

// Real questionnaires, filled by `canvass fill`. Results are compared with a model of the contract that shares no code
// with the product.
const shared = shareSystem({ services: ["token", "survey", "response", "gateway"], natsUrl: "nats://127.0.0.1:9" });

describe("the Big Five in several languages", () => {
  bigFive(shared);
});

describe("a customer survey", () => {
  customers(shared);
});

describe("a household roster", () => {
  household(shared);
});
