import { describe } from "vitest";
import { testCopies } from "./surveys/copies.ts";
import { testDisplayLogic } from "./surveys/display-logic.ts";
import { testElements } from "./surveys/elements.ts";
import { testExportedFiles } from "./surveys/exported-files.ts";
import { testHiddenFields } from "./surveys/hidden-fields.ts";
import { testPiping } from "./surveys/piping.ts";
import { testPublishing } from "./surveys/publishing.ts";
import { testReadmeQuestionnaire } from "./surveys/readme-questionnaire.ts";
import { testSettingsAtOnce } from "./surveys/settings-at-once.ts";
import { testTablesOfOthers } from "./surveys/tables-of-others.ts";
import { testCustomers } from "./questionnaires/customers.ts";
import { testHousehold } from "./questionnaires/household.ts";
import { shareSystem } from "./shared-system.ts";

const shared = await shareSystem();

describe("copies", () => {
  testCopies(shared);
});

describe("elements", () => {
  testElements(shared);
});

describe("hidden fields", () => {
  testHiddenFields(shared);
});

describe("display logic", () => {
  testDisplayLogic(shared);
});

describe("piping", () => {
  testPiping(shared);
});

describe("publishing", () => {
  testPublishing(shared);
});

describe("settings at once", () => {
  testSettingsAtOnce(shared);
});

describe("tables of others", () => {
  testTablesOfOthers(shared);
});

describe("the questionnaire of the README", () => {
  testReadmeQuestionnaire(shared);
});

describe("exported files", () => {
  testExportedFiles(shared);
});

// Real questionnaires, filled by `canvass fill`. Results are compared with a model of the contract that shares no code
// with the product.
describe("a customer survey", () => {
  testCustomers(shared);
});

describe("a household roster", () => {
  testHousehold(shared);
});
