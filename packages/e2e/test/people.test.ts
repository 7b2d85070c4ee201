import { describe } from "vitest";
import { answeringPage } from "./people/answering-page.ts";
import { broughtAndTaken } from "./people/brought-and-taken.ts";
import { erasedPeople } from "./people/erased-people.ts";
import { erasure } from "./people/erasure.ts";
import { files } from "./people/files.ts";
import { linkRespondents } from "./people/link-respondents.ts";
import { translatedSurveys } from "./people/translations.ts";
import { shareSystem } from "./shared-system.ts";

// Whatever can be logged is, since erased people and links search the logs.
const shared = await shareSystem({ env: { CANVASS_LOG_LEVEL: "trace", CANVASS_REQUEST_LOG: "all" } });

describe("erased people", () => {
  erasedPeople(shared);
});

describe("erasure", () => {
  erasure(shared);
});

describe("files", () => {
  files(shared);
});

describe("files that people bring and take", () => {
  broughtAndTaken(shared);
});

describe("the page", () => {
  answeringPage(shared);
});

describe("respondents of links", () => {
  linkRespondents(shared);
});

describe("translated surveys", () => {
  translatedSurveys(shared);
});
