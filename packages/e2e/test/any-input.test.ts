import { afterAll, beforeAll, describe } from "vitest";
import { testDocumentedBodies } from "./any-input/documented-bodies.ts";
import { testPromisedRefusals } from "./any-input/promised-refusals.ts";
import { testShapeBeforeAbsence } from "./any-input/shape-before-absence.ts";
import { startPreparedSystem, stopPreparedSystem } from "./any-input/prepared-system.ts";

// Random requests, as the document allows them and otherwise: any-input.nightly.ts.
beforeAll(startPreparedSystem);
afterAll(stopPreparedSystem);

describe("what the document shows", () => {
  testDocumentedBodies();
});

describe("what the document says", () => {
  testPromisedRefusals();
  testShapeBeforeAbsence();
});
