import { describe } from "vitest";
import { copies } from "./surveys/copies.ts";
import { displayLogic } from "./surveys/display-logic.ts";
import { elements } from "./surveys/elements.ts";
import { exportedFiles } from "./surveys/exported-files.ts";
import { hiddenFields } from "./surveys/hidden-fields.ts";
import { piping } from "./surveys/piping.ts";
import { publishing } from "./surveys/publishing.ts";
import { readmeQuestionnaire } from "./surveys/readme-questionnaire.ts";
import { settingsAtOnce } from "./surveys/settings-at-once.ts";
import { tablesOfOthers } from "./surveys/tables-of-others.ts";
import { bigFive } from "./questionnaires/big-five.ts";
import { customers } from "./questionnaires/customers.ts";
import { household } from "./questionnaires/household.ts";
import { shareSystem } from "./shared-system.ts";

const shared = await shareSystem();

describe("copies", () => {
  copies(shared);
});

describe("elements", () => {
  elements(shared);
});

describe("hidden fields", () => {
  hiddenFields(shared);
});

describe("display logic", () => {
  displayLogic(shared);
});

describe("piping", () => {
  piping(shared);
});

describe("publishing", () => {
  publishing(shared);
});

describe("settings at once", () => {
  settingsAtOnce(shared);
});

describe("tables of others", () => {
  tablesOfOthers(shared);
});

describe("the questionnaire of the README", () => {
  readmeQuestionnaire(shared);
});

describe("exported files", () => {
  exportedFiles(shared);
});

// Real questionnaires, filled by `canvass fill`. Results are compared with a model of the contract that shares no code
// with the product.
describe("the Big Five in several languages", () => {
  bigFive(shared);
});

describe("a customer survey", () => {
  customers(shared);
});

describe("a household roster", () => {
  household(shared);
});
