import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { surveysOfOwnIds } from "../../test/surveys-of-own-ids.ts";
import { ask, page } from "../../test/sample-survey.ts";
import { translatedSurveys } from "../../test/translation-arbitrary.ts";
import type { Condition } from "../conditions/condition.ts";
import type { SurveyDefinition } from "../definition.ts";
import { editElement, withContinuedTexts } from "../edits/edit-element.ts";
import { withLogic } from "../element-logic.ts";
import { finish } from "../finish.ts";
import { readQuotas } from "../quotas/quota-input.ts";
import { removeRules } from "../structure/remove-rules.ts";
import { listsWeight, questionWeight, weightLimits } from "../weight.ts";
import { placeholderViolation } from "../piping/placeholders.ts";
import { textOwners, type TranslatedSurvey } from "./text-owners.ts";
import { translatedDefinition } from "./translate.ts";
import { translationStatus, translationWarnings } from "./translation-status.ts";
import { readingTranslation, translationOf, type TranslationInput } from "./translation.ts";
import { withKnownTranslations } from "./known-translations.ts";

const digest = (text: string) => `digest of ${text}`;
const drawn = translatedSurveys(surveysOfOwnIds, digest);
const own = { name: "A survey", description: "About it", settings: {}, translations: {} };
const surveyOf = (definition: SurveyDefinition): TranslatedSurvey => ({ ...own, definition });

const read = (survey: TranslatedSurvey, input: Partial<TranslationInput>) =>
  finish(readingTranslation(survey, { language: "de", texts: {}, merges: false, ...input }, digest));

/** Applies what a reading changed, as the service stores it. */
function applied(survey: TranslatedSurvey, input: Partial<TranslationInput>): TranslatedSurvey {
  const { changes, violations } = read(survey, input);
  expect(violations).toEqual([]);
  const found = new Map(changes.map((change) => [`${change.kind} ${change.id}`, change.translations]));
  const put = <Owner extends object>(owner: Owner, key: string): Owner => {
    const translations = found.get(key);
    return translations ? { ...owner, translations } : owner;
  };
  const pages = survey.definition.pages.map((each) => ({
    ...put(each, `page ${each.pageId}`),
    elements: each.elements.map((element) => put(element, `element ${element.elementId}`)),
  }));
  const quotas = survey.definition.quotas?.map((each) => put(each, `quota ${each.quotaId}`));
  return { ...put(survey, "survey "), definition: { pages, ...(quotas && { quotas }) } };
}

const mapOf = (survey: TranslatedSurvey, language: string) =>
  Object.fromEntries(
    finish(translationOf(survey, language, digest)).flatMap(({ place, target }) =>
      target === null ? [] : [[place, target]],
    ),
  );

test("a map that was read changes nothing, and makes the same texts in an untranslated survey", () => {
  fc.assert(
    fc.property(drawn, (definition) => {
      const survey = surveyOf(definition);
      const texts = mapOf(survey, "de");
      expect(read(survey, { texts }).changes).toEqual([]);
      const empty = applied(survey, { texts: {} });
      expect(mapOf(empty, "de")).toEqual({});
      expect(mapOf(applied(empty, { texts }), "de")).toEqual(texts);
      expect(mapOf(empty, "ar")).toEqual(mapOf(survey, "ar"));
      const removed = Object.fromEntries(Object.keys(texts).map((place) => [place, null]));
      expect(mapOf(applied(survey, { texts: removed, merges: true }), "de")).toEqual({});
    }),
  );
});

test("places differ within a survey, and the definition in a language has the text of each place", () => {
  fc.assert(
    fc.property(drawn, (definition) => {
      const owners = [...textOwners(surveyOf(definition))];
      const keys = owners.flatMap(({ texts, keyOf }) => texts.map(({ place }) => keyOf(place)));
      expect(new Set(keys).size).toBe(keys.length);
      const texts = mapOf(surveyOf(definition), "ar");
      const translated = translatedDefinition(definition, "ar");
      for (const { texts: shown, keyOf } of textOwners(surveyOf(translated))) {
        for (const { place, text } of shown) if (texts[keyOf(place)]) expect(text).toBe(texts[keyOf(place)]);
      }
      expect(JSON.stringify(translated)).not.toContain('"translations"');
      const plain = translatedDefinition(definition, "xx");
      expect(translatedDefinition(plain, "ar")).toEqual(plain);
    }),
  );
});

const rated = ask("rated", "rating", { text: "How was {{dish}}?", typeSettings: { labels: { 1: "Bad" } } });
const survey = surveyOf({ pages: [page("p0", [rated])] });

test("all violations are reported, and nothing changes", () => {
  const { changes, violations } = read(survey, {
    texts: {
      "elements.rated.text": "Wie war {{gericht}}?",
      "elements.rated.settings.labels.1": "x".repeat(201),
      "survey.name": " ",
      "survey.description": 7,
      "elements.gone.text": "Wo?",
      __proto__x: "x",
    },
  });
  expect(violations.map(({ path }) => path).toSorted()).toEqual([
    "__proto__x",
    "elements.gone.text",
    "elements.rated.settings.labels.1",
    "elements.rated.text",
    "survey.description",
    "survey.name",
  ]);
  expect(changes).toEqual([]);
});

test("a source that changed makes its translation outdated until somebody says that it fits", () => {
  const texts = { "elements.rated.text": "Wie war {{dish}}?" };
  const before = applied(survey, { texts });
  const [status] = finish(translationStatus(before, ["de"], digest, 10));
  expect(status).toMatchObject({ places: 4, missing: 3, outdated: 0 });
  const element = before.definition.pages[0]!.elements[0]!;
  const changed = surveyOf({ pages: [page("p0", [{ ...element, text: "How did you like {{dish}}?" }])] });
  const statuses = finish(translationStatus(changed, ["de"], digest, 10));
  expect(statuses).toMatchObject([{ outdated: 1, outdatedPlaces: ["elements.rated.text"] }]);
  expect(translationWarnings(statuses).map(({ code }) => code)).toEqual([
    ...Array.from({ length: 3 }, () => "translation_missing"),
    "translation_outdated",
  ]);
  expect(finish(translationStatus(applied(changed, { texts }), ["de"], digest, 0))).toMatchObject([{ outdated: 1 }]);
  const confirmed = applied(changed, { texts, merges: true });
  expect(finish(translationStatus(confirmed, ["de"], digest, 0))).toMatchObject([{ outdated: 0, missing: 3 }]);
});

test("a text that goes takes its translation along", () => {
  const { definition } = applied(survey, { texts: { "elements.rated.settings.labels.1": "Schlecht" } });
  const element = definition.pages[0]!.elements[0]!;
  expect(withKnownTranslations(element)).toEqual(element);
  expect(withKnownTranslations({ ...element, typeSettings: {} })).not.toHaveProperty("translations");
});

describe("messages", () => {
  const must: Condition = { elementId: "rated", operator: "at_least", value: 2 };
  const constraints = ["One.", "Two, {{dish}}."].map((message, at) => ({ must: { ...must, value: at }, message }));
  const quota = { quotaId: "q", name: "Q", when: must, limit: 1, onFull: "message" as const, message: "Full." };
  const told = surveyOf({ pages: [page("p0", [withLogic(rated, { constraints })])], quotas: [quota] });
  const texts = {
    "elements.rated.constraints.0.message": "Eins.",
    "elements.rated.constraints.1.message": "Zwei, {{dish}}.",
    "quotas.q.message": "Voll.",
  };
  const german = applied(told, { texts });
  const element = german.definition.pages[0]!.elements[0]!;
  const messagesIn = ({ pages, quotas = [] }: SurveyDefinition) => [
    ...pages.flatMap(({ elements }) => elements.flatMap(({ logic }) => logic?.constraints ?? [])),
    ...quotas,
  ];

  test("of constraints and quotas are translated, and weigh nothing in the definition", () => {
    expect(mapOf(german, "de")).toEqual(texts);
    const translated = translatedDefinition(german.definition, "de");
    expect(messagesIn(translated).map(({ message }) => message)).toEqual(["Eins.", "Zwei, {{dish}}.", "Voll."]);
    expect(translatedDefinition(german.definition, "ar")).toEqual(told.definition);
    expect(listsWeight(german.definition)).toEqual(listsWeight(told.definition));
    const wrong = { "elements.rated.constraints.1.message": "Zwei.", "quotas.q.message": "x".repeat(4_001) };
    expect(read(told, { texts: wrong }).violations.map(({ path }) => path)).toEqual(Object.keys(wrong));
  });

  test("keep their translations when another constraint goes, and lose them with their source", () => {
    const goes = ({ value }: { value?: unknown }) => value === 0;
    const removed = removeRules(german.definition.pages, goes as (condition: Condition) => boolean).pages;
    const { "elements.rated.constraints.0.message": _, "quotas.q.message": __, ...left } = texts;
    expect(mapOf(surveyOf({ pages: removed }), "de")).toEqual(left);
    expect(removed[0]!.elements[0]!.translations).toEqual({ de: { "constraints.1.message": expect.anything() } });
    const input = {
      settings: {},
      constraints: [
        { must, message: "New." },
        { ...constraints[1]!, message: "{{dish}}!" },
      ],
    };
    const edited = editElement("settings", element, input, { newId: () => "", isAnswered: () => false });
    if (!("question" in edited)) throw new Error("it is refused");
    const after = surveyOf({ pages: [page("p0", [withContinuedTexts(element, edited.question)])] });
    expect(mapOf(after, "de")).toEqual(left);
    expect(finish(translationStatus(after, ["de"], digest, 9))).toMatchObject([
      { outdatedPlaces: ["elements.rated.constraints.1.message"] },
    ]);
    const silent = readQuotas([{ ...quota, onFull: "close", message: null }], german.definition.quotas!, () => "");
    expect(silent[0]).not.toHaveProperty("translations");
    expect(
      readQuotas([{ ...quota, message: "Closed." }], german.definition.quotas!, () => "")[0]!.translations,
    ).toEqual(german.definition.quotas![0]!.translations);
  });
});

describe("placeholders", () => {
  test.each([
    ["no {{a}}", "kein {{a}}", true],
    ["{{a}} and {{b}}", "{{b}} und {{ a }}, {{a}}", true],
    ["{{a|you}}", "{{a|du}}", true],
    [String.raw`\{{a}}`, "nichts", true],
    ["{{a}}", "nichts", false],
    ["nothing", "{{a}}", false],
    ["{{a}}", "{{b}}", false],
  ])("%s → %s fits: %s", (source, translation, fits) => {
    expect(placeholderViolation(source, translation) === null).toBe(fits);
  });
});

test("300 questions of usual length in 30 languages fit, and translations weigh nothing in the definition", () => {
  const choices = Array.from({ length: 5 }, (_, at) => `Choice number ${at}, ok`);
  const texts = { text: "x".repeat(100), helpText: "y".repeat(30) };
  const elements = Array.from({ length: 300 }, (_, at) =>
    ask(`element${at}`.padEnd(16, "0"), "dropdown", { ...texts, choices }),
  );
  const source = surveyOf({ pages: [page("p0", elements)] });
  // Two bytes a character, as in Greek, Cyrillic and Arabic.
  const longer = (text: string) => "я".repeat(Math.ceil(text.length * 1.2));
  const given = Object.fromEntries(
    finish(translationOf(source, "ru", digest)).map(({ place, source: text }) => [place, longer(text)]),
  );
  const shortDigest = () => "12345678";
  const { changes, violations } = finish(
    readingTranslation(source, { language: "ru", texts: given, merges: false }, shortDigest),
  );
  expect(violations).toEqual([]);
  const bytes = changes.reduce(
    (sum, { translations }) => sum + Buffer.byteLength(JSON.stringify(translations["ru"])),
    0,
  );
  expect(bytes).toBeLessThan(weightLimits.languageBytes);
  expect(bytes * 30).toBeLessThan(weightLimits.translationBytes);
  const [element] = elements;
  const translated = { ...element!, translations: changes.find(({ id }) => id === element!.elementId)!.translations };
  expect(questionWeight(translated)).toEqual(questionWeight(element!));
});

test("translations beyond the limits are refused", () => {
  const elements = Array.from({ length: 200 }, (_, at) => ask(`e${at}`, "short_text", { text: "?" }));
  const heavy = surveyOf({ pages: [page("p0", elements)] });
  const texts = Object.fromEntries(elements.map(({ elementId }) => [`elements.${elementId}.text`, "ö".repeat(4_000)]));
  expect(read(heavy, { texts }).violations).toEqual([
    { path: "translations", message: expect.stringContaining("into one language above 1048576") },
  ]);
});
