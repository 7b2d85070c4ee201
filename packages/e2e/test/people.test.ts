import { describe } from "vitest";
import { testAnsweringPage } from "./people/answering-page.ts";
import { testBroughtAndTaken } from "./people/brought-and-taken.ts";
import { testErasedPeople } from "./people/erased-people.ts";
import { testErasure } from "./people/erasure.ts";
import { testFiles } from "./people/files.ts";
import { testLinkRespondents } from "./people/link-respondents.ts";
import { testTranslatedSurveys } from "./people/translations.ts";
import { shareSystem } from "./shared-system.ts";

// Logs everything: the tests of erased people and links search the logs.
const shared = await shareSystem({ env: { CANVASS_LOG_LEVEL: "trace", CANVASS_REQUEST_LOG: "all" } });

describe("erased people", () => {
  testErasedPeople(shared);
});

describe("erasure", () => {
  testErasure(shared);
});

describe("files", () => {
  testFiles(shared);
});

describe("files that people bring and take", () => {
  testBroughtAndTaken(shared);
});

describe("the page", () => {
  testAnsweringPage(shared);
});

describe("respondents of links", () => {
  testLinkRespondents(shared);
});

describe("translated surveys", () => {
  testTranslatedSurveys(shared);
});
