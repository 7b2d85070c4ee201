import { afterAll, beforeAll, describe } from "vitest";
import { testAddresses } from "./addresses.ts";
import { testAnswers } from "./answers.ts";
import { testBodies } from "./bodies.ts";
import { testDocuments } from "./documents.ts";
import { testManyAtOnce } from "./many-at-once.ts";
import { testPreconditions } from "./preconditions.ts";
import { testQueries } from "./queries.ts";
import { testSurveyRules } from "./survey-rules.ts";
import { testWritersAtOnce } from "./writers-at-once.ts";
import { startTroubledSystem, stopTroubledSystem } from "./troubled-system.ts";

/** Tests all kinds of trouble on their own system. */
export function testAllTrouble(): void {
  beforeAll(startTroubledSystem);
  afterAll(stopTroubledSystem);

  describe("a body", () => {
    testBodies();
  });

  describe("a query", () => {
    testQueries();
  });

  describe("answers", () => {
    testAnswers();
  });

  describe("preconditions", () => {
    testPreconditions();
  });

  describe("rules of the survey", () => {
    testSurveyRules();
  });

  describe("many at once", () => {
    testManyAtOnce();
    testWritersAtOnce();
  });

  describe("addresses", () => {
    testAddresses();
  });

  describe("documents", () => {
    testDocuments();
  });
}
