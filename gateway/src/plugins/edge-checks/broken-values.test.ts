import type { Fault } from "@canvass/inputs";
import { expect, test } from "vitest";
import { checkValues } from "./broken-values.ts";

const placesOf = (json: string): string[] => {
  const faults: Fault[] = [];
  checkValues(JSON.parse(json), json, faults);
  return faults.map(({ path }) => path);
};

test.each([
  [String.raw`{"name":"a\ud800"}`, ["name"]],
  [String.raw`{"name":"\uDC00x","scopes":["fine","\udbffx"]}`, ["name", "scopes.1"]],
  [String.raw`"\ud83d"`, ["body"]],
  [String.raw`{"name":"\ud83d\ude00"}`, []],
  [String.raw`{"name":"\\ud800"}`, []],
  ['{"a":{"b":1e400},"c":[1,-1E+999]}', ["a.b", "c.1"]],
  [`{"a":${"9".repeat(400)}}`, ["a"]],
  [`{"a":1${"0".repeat(290)}e99}`, ["a"]],
  ['{"a":1.7e308,"b":1e-400,"c":"1e400","d":100e100}', []],
  ['{"name":"😀","more":null,"list":[1,true]}', []],
])("%s is broken at %j", (json, places) => {
  expect(placesOf(json)).toEqual(places);
});
