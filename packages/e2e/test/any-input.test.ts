import { afterAll, beforeAll, describe } from "vitest";
import { anyShots } from "./any-input/any-shots.ts";
import { documentedRequests } from "./any-input/documented-requests.ts";
import { documentedBodies } from "./any-input/documented-bodies.ts";
import { promisedRefusals } from "./any-input/promised-refusals.ts";
import { shapeBeforeAbsence } from "./any-input/shape-before-absence.ts";
import { everyOther } from "./every-other.ts";
import { startPreparedSystem, stopPreparedSystem, withKept } from "./any-input/prepared-system.ts";

// All operations, and many more requests: any-input.nightly.ts.
beforeAll(startPreparedSystem);
afterAll(stopPreparedSystem);

describe("what the document shows", () => {
  documentedBodies();
});

describe("what the document says", () => {
  // First, while there are few rows to compare.
  promisedRefusals();
  documentedRequests({ withBody: 6, others: 2, some: everyOther, prepare: withKept });
  shapeBeforeAbsence();
});

describe("whatever else is sent", () => {
  anyShots({ requests: 300, usingUp: 4, some: everyOther, prepare: withKept });
});
