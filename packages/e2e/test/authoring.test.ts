import { describe } from "vitest";
import { elements } from "./authoring/elements.ts";
import { largestDraft } from "./authoring/largest-draft.ts";
import { publishing } from "./authoring/publishing.ts";
import { readmeQuestionnaire } from "./authoring/readme-questionnaire.ts";
import { settingsAtOnce } from "./authoring/settings-at-once.ts";
import { shareSystem } from "./shared-system.ts";

const shared = shareSystem();

describe("elements", () => {
  elements(shared);
});

describe("publishing", () => {
  publishing(shared);
});

describe("settings at once", () => {
  settingsAtOnce(shared);
});

describe("the questionnaire of the README", () => {
  readmeQuestionnaire(shared);
});

describe("the largest draft", () => {
  largestDraft(shared);
});
