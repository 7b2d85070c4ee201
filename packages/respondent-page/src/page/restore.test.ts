import { publicDefinition, type Question } from "@canvass/questions";
import { SurveyModel } from "survey-core";
import { expect, test } from "vitest";
import { pageOf, questionsOf } from "../../test/sample-survey.ts";
import type { DeviceStore, StoredState } from "../saving/device-store.ts";
import { en } from "../words/en.ts";
import { answerRecord } from "./answer-record.ts";
import { fillDefaults } from "./fill-defaults.ts";
import { createPagePath } from "./page-path.ts";
import { restore } from "./restore.ts";

function storeOf(kept: StoredState): DeviceStore {
  let now = kept;
  return { isKept: () => true, read: () => now, change: (part) => void (now = { ...now, ...part }), clear: () => {} };
}

test("many answers at once are followed once, not each by all texts that may name them", () => {
  const questions = questionsOf(
    { type: "yes_no", text: "Well?" },
    ...Array.from({ length: 60 }, (_, at) => ({ type: "short_text", text: `Question ${at}` })),
    { type: "short_text", text: "Last" },
  );
  const [first, ...others] = questions as [Question, ...Question[]];
  first.logic = { defaultValue: true };
  for (const each of others) each.logic = { defaultValue: "so" };
  const last = others.at(-1)!;
  last.text = `{{${first.elementId}}}, {{${others[0]!.elementId}}}`;
  last.logic = { showIf: { elementId: first.elementId, operator: "equals", value: true }, defaultValue: "asked" };
  const definition = publicDefinition({ pages: [pageOf(questions, { title: "One" })] });
  let followed = 0;
  const respondent = {
    language: "en",
    fields: {},
    get firstName() {
      followed += 1;
      return undefined;
    },
  };
  const model = new SurveyModel();
  const path = createPagePath(model, definition, en, 1, respondent, false);
  model.onValueChanged.add((_, { name }) => {
    path.note(name);
    path.follow();
  });
  path.follow();
  followed = 0;
  const pageName = model.pages[0]!.name;
  fillDefaults(model, path, storeOf({ startKey: "" }), new Map(), pageName);
  expect(path.answers.size).toBe(62);
  expect(path.placed.get(last.elementId)!.question.text).toBe("Yes, so");
  expect(followed).toBeLessThan(10);
  followed = 0;
  restore(model, path, new Map(others.map(({ elementId }) => [elementId, "theirs"])));
  expect(model.getValue(others[5]!.elementId)).toBe("theirs");
  expect(followed).toBeLessThan(10);
});

test("an answer from another tab is not this tab's own, so a later one is shown, too", () => {
  const record = answerRecord(storeOf({ startKey: "" }), new Map());
  const shown: unknown[] = [];
  const merge = (value: string) =>
    record.merge({ a: value }, (theirs) =>
      theirs.forEach((each, key) => {
        shown.push(each);
        // As SurveyJS tells of each change.
        record.edit(key, each);
      }),
    );
  merge("first");
  merge("second");
  expect(shown).toEqual(["first", "second"]);
  record.edit("a", "own");
  merge("third");
  expect(shown).toEqual(["first", "second"]);
});
