import type { QuestionnaireFile } from "@canvass/proto/survey-documents";
import { gzipSync } from "node:zlib";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { someSurvey, surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const sent: (QuestionnaireFile | undefined)[] = [];
const items = [{ source: "survey row 2", name: "q", outcome: "changed", reasons: ["r"] }];
const file = Buffer.from([0x50, 0x4b, 0, 0xff]);
const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const edge = await sharedByFile(
  startEdge({
    survey: {
      importQuestionnaire: async ({ file: content }) => {
        sent.push(content);
        return { survey: someSurvey({ name: "Imported" }), items };
      },
      previewQuestionnaire: async ({ file: content }) => {
        sent.push(content);
        return { documentJson: '{"name":"N","pages":[]}', items };
      },
      getXlsform: async ({ versionNumber }) => ({ file, etag: `"${versionNumber}"` }),
    },
  }),
);

const importing = (query: string, body: string | Buffer<ArrayBuffer>, headers: Record<string, string>) =>
  edge.call(`/surveys/import/questionnaire${query}`, { method: "POST", body, headers });

test("a file of any type is forwarded unchanged, and the response has the survey and the report", async () => {
  for (const type of ["application/octet-stream", xlsx]) {
    const { status, body, headers } = await importing("?format=xlsform", file, { "content-type": type });
    expect([status, body.data.survey.name, body.data.report]).toEqual([201, "Imported", items]);
    expect(headers.get("location")).toContain("/surveys/");
    expect(Buffer.from(sent.pop()!.content)).toEqual(file);
  }
  const json = '{"a": 1, "a": 2}';
  const { status } = await importing("?format=qsf", gzipSync(json), {
    "content-type": "application/json",
    "content-encoding": "gzip",
  });
  expect([status, Buffer.from(sent[0]!.content).toString(), sent.pop()!.format]).toEqual([201, json, "qsf"]);
  const preview = await importing("?format=lss&dryRun=true", "<a/>", { "content-type": "application/xml" });
  expect([preview.status, preview.body.data]).toEqual([200, { document: { name: "N", pages: [] }, report: items }]);
});

beforeEach(() => {
  sent.length = 0;
});

test("another format, another type, no file and a large one are refused", async () => {
  const bytes = { "content-type": "application/octet-stream" };
  expect((await importing("?format=docx", file, bytes)).body.error).toMatchObject({ code: "validation_failed" });
  expect((await importing("", file, bytes)).body.error).toMatchObject({ code: "validation_failed" });
  expect((await importing("?format=lss", "a", { "content-type": "text/csv" })).status).toBe(415);
  expect((await importing("?format=lss", "", bytes)).status).toBe(400);
  expect((await importing("?format=lss", " ".repeat(8 * 1_048_576 + 1), bytes)).status).toBe(413);
  const bomb = await importing("?format=lss", gzipSync(" ".repeat(8 * 1_048_576 + 1)), {
    ...bytes,
    "content-encoding": "gzip",
  });
  expect(bomb.status).toBe(413);
  expect(sent).toEqual([]);
});

test("with format=xlsform the document is an XLSForm, with the tag of the survey", async () => {
  const { status, headers, text } = await edge.call(`/surveys/${surveyId}/document?format=xlsform&version=2`);
  expect([status, headers.get("etag"), headers.get("content-type")]).toEqual([200, '"2"', xlsx]);
  expect(headers.get("content-disposition")).toBe(`attachment; filename=${surveyId}.xlsx`);
  expect(text.slice(0, 2)).toBe("PK");
});

test("an XLSForm is sent in ranges, as every file", async () => {
  const range = { range: "bytes=0-1" };
  const { status, headers, text } = await edge.call(`/surveys/${surveyId}/document?format=xlsform`, { headers: range });
  expect([status, headers.get("content-range"), text]).toEqual([206, `bytes 0-1/${file.length}`, "PK"]);
});
