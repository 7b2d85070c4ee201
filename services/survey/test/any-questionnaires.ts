import { anyCharacter } from "@canvass/testing/any-character";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readSheets } from "../src/application/questionnaires/files/read-sheets.ts";
import { readQuestionnaire, type ReadQuestionnaire } from "../src/application/questionnaires/read-questionnaire.ts";
import { writeXlsform } from "../src/application/questionnaires/xlsform-export/write-xlsform.ts";
import { bytesOf, canteenForm, canteenLss, canteenQsf, canteenSurveyjs, xlsform } from "./sample-questionnaires.ts";

type Format = Parameters<typeof readQuestionnaire>[0];

const formOf = async (survey: ReadQuestionnaire) =>
  Object.fromEntries(await readSheets(await writeXlsform(survey.documentJson)));

const cell = fc.oneof(
  fc.constantFrom(
    "",
    "yes",
    "${a}",
    "${b} = 'x'",
    "selected(${c}, 'x') and not(. > 3)",
    "count-selected(.) >= 2",
    "x",
    "y",
    "7",
    "a b",
    "{{a}}",
    "a{{",
    "2026-01-31",
    ". >= 1 and . <= 9",
    ". <= '2026-01-31'",
    "<b>x</b> &amp;lt;i> ${",
    "**x** ${a}",
    "&lt;p>${b}{x}",
    "other",
  ),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
);
const types = fc.constantFrom(
  "text",
  "integer",
  "decimal",
  "date",
  "time",
  "dateTime",
  "note",
  "range",
  "select_one l",
  "select_multiple l",
  "select_one l or_other",
  "rank l",
  "select_one none",
  "acknowledge",
  "file",
  "hidden",
  "calculate",
  "begin group",
  "end group",
  "begin repeat",
  "end repeat",
  "geopoint",
);
const columns = [
  "label",
  "label::Deutsch (de)",
  "label::fr",
  "hint",
  "required",
  "relevant",
  "constraint",
  "constraint_message",
  "constraint_message::fr",
  "appearance",
  "default",
  "choice_filter",
  "parameters",
  "repeat_count",
];
const rows = fc.array(
  fc
    .tuple(
      types,
      fc.constantFrom("a", "b", "c", "d", "A", "", "9"),
      fc.dictionary(fc.constantFrom(...columns), cell, { maxKeys: 6 }),
    )
    .map(([type, name, cells]) => ({ type, name, ...cells })),
  { maxLength: 12 },
);
const listed = fc.array(
  fc.record({ list_name: fc.constant("l"), name: cell, label: cell, "label::Deutsch (de)": cell }),
  { maxLength: 5 },
);
/** Removes characters that XML cannot contain. */
const writable = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll(/\\u[0-9a-fA-F]{4}|[\p{Cc}\uFFFE\uFFFF]/gu, "")) as Value;

/** Returns undefined if the file is refused. Fails for any other error. */
async function attempt(format: Format, file: Uint8Array): Promise<ReadQuestionnaire | undefined> {
  try {
    return await readQuestionnaire(format, file);
  } catch (error) {
    expect(error).toMatchObject({ code: "validation_failed" });
    return undefined;
  }
}

/** Registers tests that any file becomes a survey or is refused, with so many runs of each. */
export function testAnyQuestionnaires({ forms, files, values }: Record<"forms" | "files" | "values", number>): void {
  test("any XLSForm becomes a survey or is refused; once exported, another round trip changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(rows, listed, async (survey, choices) => {
        const first = await attempt("xlsform", await xlsform(writable(survey), writable(choices), { form_title: "F" }));
        if (!first) return;
        const second = await readQuestionnaire("xlsform", await writeXlsform(first.documentJson));
        const form = await formOf(second);
        const third = await readQuestionnaire("xlsform", await writeXlsform(second.documentJson));
        expect(await formOf(third)).toEqual(form);
      }),
      { numRuns: forms },
    );
  });

  test("any few bytes are refused, and a valid file with changed bytes becomes a survey or is refused", async () => {
    const form = await canteenForm();
    const good: Record<Format, Uint8Array> = {
      xlsform: form,
      lss: canteenLss(),
      qsf: bytesOf(canteenQsf),
      surveyjs: bytesOf(canteenSurveyjs),
    };
    const formats = fc.constantFrom<Format>("xlsform", "lss", "qsf", "surveyjs");
    const changes = fc.array(fc.tuple(fc.nat(100_000), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(formats, changes, fc.uint8Array({ maxLength: 40 }), async (format, places, noise) => {
        expect(await attempt(format, noise)).toBeUndefined();
        const changed = Uint8Array.from(good[format]);
        for (const [place, byte] of places) changed[place % changed.length] = byte;
        await attempt(format, changed);
      }),
      { numRuns: files },
    );
  });

  test("JSON with any value in the place of another becomes a survey or is refused", async () => {
    const replacements = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(null, "", "{{", "\0", "x".repeat(5_000), -1, 1e300, [], {}, ["a", "a"]),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Format>("qsf", "surveyjs"),
        fc.nat(1_000),
        replacements,
        async (format, place, value) => {
          let at = 0;
          const source = format === "qsf" ? canteenQsf : canteenSurveyjs;
          JSON.stringify(source, (_key, each: unknown) => {
            at += 1;
            return each;
          });
          const count = at;
          at = 0;
          const changed = JSON.stringify(source, (_key, each: unknown) =>
            (at += 1) === (place % count) + 1 ? value : each,
          );
          const read = await attempt(format, bytesOf(JSON.parse(changed)));
          expect(read?.items).not.toEqual([]);
        },
      ),
      { numRuns: values },
    );
  });
}
