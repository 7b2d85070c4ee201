import { afterAll, beforeAll, describe } from "vitest";
import { anyShots } from "./any-input/any-shots.ts";
import { documentedRequests } from "./any-input/documented-requests.ts";
import { documentedBodies } from "./any-input/documented-bodies.ts";
import { promisedRefusals } from "./any-input/promised-refusals.ts";
import { shapeBeforeAbsence } from "./any-input/shape-before-absence.ts";
import { startPreparedSystem, stopPreparedSystem, withKept } from "./any-input/prepared-system.ts";

// Many more requests: any-input.nightly.ts.
beforeAll(startPreparedSystem);
afterAll(stopPreparedSystem);

describe("what the document shows", () => {
  documentedBodies();
});

describe("what the document says", () => {
  // First, while there are few rows to compare.
  promisedRefusals();
  documentedRequests({ withBody: 6, others: 2, prepare: withKept });
  shapeBeforeAbsence();
});

describe("whatever else is sent", () => {
  anyShots({ requests: 600, usingUp: 4, prepare: withKept });
});
