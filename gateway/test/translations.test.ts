import {
  TranslationFormat,
  type ImportTranslationRequest,
  type WriteTranslationRequest,
} from "@canvass/proto/survey-translations";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

let written: WriteTranslationRequest[] = [];
let imported: ImportTranslationRequest[] = [];
const etag = '"7"';
const textsJson = '{"survey.name":"Mittagessen"}';
const po = 'msgctxt "survey.name"\nmsgid "Lunch"\nmsgstr "Mittag \u{1F372}"\n';

const edge = await sharedByFile(
  startEdge({
    survey: {
      listTranslations: async () => ({
        languages: [
          { language: "de", places: 3, missing: 1, outdated: 1, missingPlaces: ["a"], outdatedPlaces: ["b"] },
        ],
        etag,
      }),
      getTranslation: async ({ format }) =>
        format === TranslationFormat.UNSPECIFIED ? { textsJson, etag } : { file: po, etag },
      writeTranslation: async (request) => {
        written.push(request);
        return { textsJson, etag };
      },
      importTranslation: async (request) => {
        imported.push(request);
        return { written: 1, outdated: ["elements.a.text"], etag };
      },
    },
  }),
);
beforeEach(() => {
  written = [];
  imported = [];
});

const path = `/surveys/${surveyId}/translations`;
const importing = (body: string | Buffer<ArrayBuffer>, query: string, type: string) =>
  edge.call(`${path}/import?${query}`, { method: "POST", body, headers: { "content-type": type, "if-match": etag } });

test("the state of each language is returned", async () => {
  const { status, body, headers } = await edge.call(path);
  expect([status, headers.get("etag")]).toEqual([200, etag]);
  expect(body.data).toEqual([
    { language: "de", places: 3, translated: 2, missing: 1, outdated: 1, missingPlaces: ["a"], outdatedPlaces: ["b"] },
  ]);
});

test("a translation is read as a map or as a file, and again only if it changed", async () => {
  expect((await edge.call(`${path}/de`)).body.data).toEqual({ "survey.name": "Mittagessen" });
  for (const [format, type] of [
    ["po", "text/x-gettext-translation; charset=utf-8"],
    ["csv", "text/csv; charset=utf-8"],
  ]) {
    const file = await edge.call(`${path}/de?format=${format}`);
    expect([file.text, file.headers.get("content-type"), file.headers.get("etag")]).toEqual([po, type, etag]);
    const known = await edge.call(`${path}/de?format=${format}`, { headers: { "if-none-match": etag } });
    expect([known.status, known.text]).toEqual([304, ""]);
  }
  expect((await edge.call(`${path}/de?format=xliff`)).status).toBe(422);
});

test("PUT replaces and PATCH merges, with the survey's tag", async () => {
  const headers = { "if-match": etag };
  for (const method of ["PUT", "PATCH"]) {
    const { status, body } = await edge.call(`${path}/de`, { method, body: textsJson, headers });
    expect([status, body.data]).toEqual([200, { "survey.name": "Mittagessen" }]);
  }
  expect(written.map(({ merges, language, bodyJson, ifMatch }) => [merges, language, bodyJson, ifMatch])).toEqual([
    [false, "de", textsJson, [etag]],
    [true, "de", textsJson, [etag]],
  ]);
});

test("a file is passed as text, and anything else is refused", async () => {
  const taken = await importing(po, "language=de&format=po", "text/x-gettext-translation");
  expect(taken.body.data).toEqual({ written: 1, outdated: ["elements.a.text"] });
  await importing("place,source,target", "language=de&format=csv", "text/csv; charset=utf-8");
  expect(imported.map(({ format, text }) => [format, text])).toEqual([
    [TranslationFormat.PO, po],
    [TranslationFormat.CSV, "place,source,target"],
  ]);
  const refused = [
    await importing(Buffer.from([0x70, 0xff, 0xfe]), "language=de&format=csv", "text/csv"),
    await importing(po, "language=de", "text/csv"),
    await importing(po, "language=de&format=po", "application/pdf"),
    await importing(po, "language=de&format=po", "text/csv; charset=windows-1252"),
    await importing("x".repeat(1_048_577), "language=de&format=csv", "text/csv"),
  ];
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 415, 415, 413]);
  expect(imported).toHaveLength(2);
});
