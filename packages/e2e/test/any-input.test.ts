import { afterAll, beforeAll, describe } from "vitest";
import { documentedRequests } from "./any-input/documented-requests.ts";
import { documentedBodies } from "./any-input/documented-bodies.ts";
import { promisedRefusals } from "./any-input/promised-refusals.ts";
import { shapeBeforeAbsence } from "./any-input/shape-before-absence.ts";
import { everyOther } from "./any-input/every-other.ts";
import { startPreparedSystem, stopPreparedSystem, withKept } from "./any-input/prepared-system.ts";

// All operations, and random requests: any-input.nightly.ts.
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
