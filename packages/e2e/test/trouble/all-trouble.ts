import { afterAll, beforeAll, describe } from "vitest";
import { addresses } from "./addresses.ts";
import { answers } from "./answers.ts";
import { bodies } from "./bodies.ts";
import { documents } from "./documents.ts";
import { manyAtOnce } from "./many-at-once.ts";
import { preconditions } from "./preconditions.ts";
import { queries } from "./queries.ts";
import { surveyRules } from "./survey-rules.ts";
import { writersAtOnce } from "./writers-at-once.ts";
import { startTroubledSystem, stopTroubledSystem } from "./troubled-system.ts";

/** Tests all kinds of trouble on their own system. */
export function allTrouble(): void {
  beforeAll(startTroubledSystem);
  afterAll(stopTroubledSystem);

  describe("a body", () => {
    bodies();
  });

  describe("a query", () => {
    queries();
  });

  describe("answers", () => {
    answers();
  });

  describe("preconditions", () => {
    preconditions();
  });

  describe("rules of the survey", () => {
    surveyRules();
  });

  describe("many at once", () => {
    manyAtOnce();
    writersAtOnce();
  });

  describe("addresses", () => {
    addresses();
  });

  describe("documents", () => {
    documents();
  });
}
