import { expect, test } from "vitest";
import { chosenLanguages, givenFields } from "./fill-choices.ts";
import type { Published } from "./published-version.ts";

const published: Published = {
  versionId: "v",
  versionNumber: 1,
  languages: ["en", "de", "ar"],
  definition: {
    pages: [],
    fields: [
      { name: "customer", type: "number" },
      { name: "constructor", type: "text" },
    ],
  },
};

test("languages are all or some of the survey's", () => {
  expect(chosenLanguages(published)).toEqual(["en", "de", "ar"]);
  expect(chosenLanguages(published, ["ar"])).toEqual(["ar"]);
  for (const wrong of [["fr"], ["de", "DE"], [""]]) {
    expect(() => chosenLanguages(published, wrong)).toThrow("choose of en, de, ar.");
  }
});

test("values of hidden fields are parsed by type, and unknown fields are refused", () => {
  expect(givenFields(published)).toEqual({});
  expect(givenFields(published, new URLSearchParams("customer=-12.5&constructor=a%20b"))).toEqual({
    customer: -12.5,
    constructor: "a b",
  });
  for (const wrong of ["customer=", "customer=%20", "customer=x", "customer=Infinity", "other=1", "toString=1"]) {
    expect(() => givenFields(published, new URLSearchParams(wrong))).toThrow("--fields: ");
  }
});
