import { AppError } from "@canvass/errors";
import { finish, type Question, type TranslatedPlace } from "@canvass/questions";
import { anyCharacter } from "@canvass/testing/any-character";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv, writingCsv } from "./csv.ts";
import type { FileEntry } from "./file-entry.ts";
import { importedTexts } from "./imported-texts.ts";
import { withIds, withNames } from "./named-texts.ts";
import { readingPo, writingPo } from "./po.ts";

const writePo = (given: readonly TranslatedPlace[]) => finish(writingPo(given, "pt-BR"));
const writeCsv = (given: readonly TranslatedPlace[]) => finish(writingCsv(given));
const readPo = (file: string) => finish(readingPo(file));
const text = fc
  .string({
    unit: fc.constantFrom(...Array.from("aé語🙂\"'\\,;\t\n#%{}= "), "\r\n", "\r", "\u00A0", "\u2028", "msgid"),
    minLength: 1,
    maxLength: 20,
  })
  .filter((each) => each.trim() !== "");
const places: fc.Arbitrary<TranslatedPlace[]> = fc.uniqueArray(
  fc.record({
    place: fc.integer({ min: 1, max: 10_000 }).map((at) => `elements.e${at}.text`),
    source: text,
    target: fc.option(text),
    isOutdated: fc.boolean(),
  }),
  { selector: ({ place }) => place },
);

const expected = (given: readonly TranslatedPlace[], mark: FileEntry["mark"]): FileEntry[] =>
  given.map(({ place, source, target, isOutdated }) => ({
    place,
    source,
    target: target ?? "",
    mark: isOutdated ? mark : "",
  }));

test("files have every text unchanged, and importing them again changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(places, async (given) => {
      const po = readPo(writePo(given));
      const csv = await readCsv(writeCsv(given));
      expect(po).toEqual(expected(given, "fuzzy"));
      expect(csv).toEqual(expected(given, "outdated"));
      const fresh = given.map((each) => ({ ...each, isOutdated: false, target: null }));
      const translated = Object.fromEntries(
        given.flatMap(({ place, target }) => (target === null ? [] : [[place, target]])),
      );
      expect(importedTexts(csv, fresh)).toEqual({ texts: translated, outdated: [], violations: [] });
      const inPo = Object.fromEntries(
        given.flatMap(({ place, target, isOutdated }) => (target === null || isOutdated ? [] : [[place, target]])),
      );
      expect(importedTexts(po, fresh).texts).toEqual(inPo);
      const outdated = given.filter(({ isOutdated }) => isOutdated).map(({ place }) => place);
      for (const file of [po, csv]) {
        for (const place of outdated) expect(importedTexts(file, given).texts).not.toHaveProperty([place]);
      }
    }),
  );
});

test("a changed source is reported, and unknown and repeated places are refused", async () => {
  const present = [{ place: "survey.name", source: "Lunch", target: null, isOutdated: false }];
  const file =
    "place;source;target\r\nsurvey.name;Dinner;Abendessen\r\nsurvey.name;Lunch;Mittagessen\r\nelsewhere;x;y\r\n";
  const { texts, outdated, violations } = importedTexts(await readCsv(file), present);
  expect(outdated).toEqual(["survey.name"]);
  expect(texts).toEqual({ "survey.name": "Mittagessen" });
  expect(violations.map(({ path, message }) => `${path} ${message}`)).toEqual([
    "survey.name is given twice",
    "elsewhere is not the path of a text of this survey",
  ]);
});

test("a place that a file gives twice is refused, also with equal sources", async () => {
  const present = [{ place: "survey.name", source: "Lunch", target: null, isOutdated: false }];
  const entry = (target: string) => `msgctxt "survey.name"\nmsgid "Lunch"\nmsgstr "${target}"\n`;
  const twice = [
    readPo(`${entry("Mittagessen")}\n${entry("Mahlzeit")}`),
    await readCsv("place,source,target\nsurvey.name,Lunch,Mittagessen\nsurvey.name,Lunch,Mahlzeit\n"),
  ];
  for (const entries of twice)
    expect(importedTexts(entries, present).violations).toEqual([{ path: "survey.name", message: "is given twice" }]);
  expect(importedTexts(readPo(entry("Mittagessen")), present).violations).toEqual([]);
});

test("a spreadsheet that changes line breaks changes no stored text, and new texts get plain ones", async () => {
  const source = "One\r\ntwo";
  const present = ["Eins\r\nzwei", null].map((target, at) => ({ place: `p${at}`, source, target, isOutdated: false }));
  const file = writeCsv([present[0]!, { ...present[1]!, target: "Drei\r\nvier" }]);
  expect(importedTexts(await readCsv(file), present).texts).toEqual({ p0: "Eins\r\nzwei", p1: "Drei\r\nvier" });
  const changed = file.replaceAll(/(\w)\r\n(\w)/g, "$1\n$2");
  expect(importedTexts(await readCsv(changed), present).texts).toEqual({ p0: "Eins\r\nzwei", p1: "Drei\nvier" });
});

test("any other text is read, or refused with validation_failed", async () => {
  const refused = async (read: () => unknown) => {
    try {
      await read();
      return "read";
    } catch (error) {
      return error instanceof AppError ? error.code : error;
    }
  };
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom("", "msgid ", 'msgctxt "a"\nmsgid "', "place,"),
      async (some, start) => {
        expect(["read", "validation_failed"]).toContain(await refused(() => readPo(start + some)));
        expect(["read", "validation_failed"]).toContain(await refused(() => readCsv(start + some)));
      },
    ),
  );
  expect(await refused(() => readCsv("a,b\n1,2"))).toBe("validation_failed");
  expect(await refused(() => readCsv('place,source\n"a'))).toBe("validation_failed");
});

test("a file of which texts would be lost unnoticed is refused", async () => {
  const refused = async (read: () => unknown) => {
    try {
      return await read();
    } catch (error) {
      return (error as AppError).details["body"];
    }
  };
  const without = (names: string) => [`must have one column with the heading ${names}`];
  expect(await refused(() => readCsv("place,source,Translation\np,One,Eins\n"))).toEqual(without("target"));
  expect(await refused(() => readCsv("place,target,target\np,Eins,Eins\n"))).toEqual(
    without("source, and one with target"),
  );
  expect(await refused(() => readCsv("place,source,target,note\np,One,Eins, zwei,\n"))).toEqual([
    "must be a CSV file (line 2)",
  ]);
  expect(await refused(() => readPo('msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "One"\nmsgstr "Eins"\n'))).toEqual([
    'must have a place as msgctxt of the text "One"',
  ]);
});

test("braces in a text without placeholders are unchanged", () => {
  const element = { elementId: "0123456789abcdef", name: "dish" } as Question;
  const definition = { pages: [{ pageId: "p", title: null, loop: null, skipLogic: [], elements: [element] }] };
  const sources = { "survey.name": "About {{dish}}", "elements.a.text": "Your {{0123456789abcdef}}?" };
  const given = Object.entries(sources).map(([place, source]) => ({ place, source, target: null, isOutdated: false }));
  const entries = withNames(given, definition).map(({ place, source }) => ({
    place,
    source,
    target: source,
    mark: "" as const,
  }));
  expect(entries.map(({ source }) => source)).toEqual(["About {{dish}}", "Your {{dish}}?"]);
  expect(importedTexts(withIds(entries, definition, given), given)).toEqual({
    texts: sources,
    outdated: [],
    violations: [],
  });
});

test("long files are cut between entries, and an endless entry is refused", () => {
  const long = Array.from({ length: 450 }, (_, at) => {
    return {
      place: `choices.${at}`,
      source: `x${"\n\n# ".repeat(20)}${at}`,
      target: `msgctxt\n\nmsgctxt ${at}`,
      isOutdated: false,
    };
  });
  expect(readPo(writePo(long))).toEqual(expected(long, ""));
  expect([...writingPo(long, "de")]).toHaveLength(5);
  expect([...readingPo(writePo(long))].length).toBeGreaterThan(2);
  expect(() => readPo(`msgctxt "${"x".repeat(200_000)}"`)).toThrow("Some values are missing");
});
