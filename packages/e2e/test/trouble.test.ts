import { afterAll, beforeAll, describe } from "vitest";
import { expectNoHolds } from "./loop-holds.ts";
import { addresses } from "./trouble/addresses.ts";
import { answers } from "./trouble/answers.ts";
import { bodies } from "./trouble/bodies.ts";
import { documents } from "./trouble/documents.ts";
import { manyAtOnce } from "./trouble/many-at-once.ts";
import { preconditions } from "./trouble/preconditions.ts";
import { queries } from "./trouble/queries.ts";
import { surveyRules } from "./trouble/survey-rules.ts";
import { writersAtOnce } from "./trouble/writers-at-once.ts";
import { demo, startTroubledSystem, stopTroubledSystem } from "./trouble/troubled-system.ts";

beforeAll(startTroubledSystem, 120_000);
afterAll(stopTroubledSystem);
expectNoHolds(() => demo.system);

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
