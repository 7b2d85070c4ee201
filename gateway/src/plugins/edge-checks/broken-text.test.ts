import type { Fault } from "@canvass/inputs";
import { expect, test } from "vitest";
import { checkTexts } from "./broken-text.ts";

const placesOf = (json: string): string[] => {
  const faults: Fault[] = [];
  checkTexts(JSON.parse(json), json, faults);
  return faults.map(({ path }) => path);
};

test.each([
  [String.raw`{"name":"a\ud800"}`, ["name"]],
  [String.raw`{"name":"\uDC00x","scopes":["fine","\udbffx"]}`, ["name", "scopes.1"]],
  [String.raw`"\ud83d"`, ["body"]],
  [String.raw`{"name":"\ud83d\ude00"}`, []],
  [String.raw`{"name":"\\ud800"}`, []],
  ['{"name":"😀","more":null,"list":[1,true]}', []],
])("%s is broken at %j", (json, places) => {
  expect(placesOf(json)).toEqual(places);
});
