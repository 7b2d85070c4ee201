import { callOptions, type CallContext } from "@canvass/rpc";
import { auditEntries } from "@canvass/service/testing";
import { contentTag } from "@canvass/values";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readQuestionnaire } from "../src/application/questionnaires/read-questionnaire.ts";
import { bytesOf, canteenForm, canteenSurveyjs } from "./sample-questionnaires.ts";
import { idempotent, refusal, signedPerson, startSurveyFixture, type SurveyFixture } from "./survey-fixture.ts";

let fixture: SurveyFixture;
let form: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  form = new Uint8Array(await canteenForm());
  fixture = await startSurveyFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const as = (context: CallContext = {}) => callOptions({ signedCaller: signedPerson(), ...context });
const countSurveys = async () => (await fixture.sql<{ n: number }>("SELECT count(*)::int4 AS n FROM surveys"))[0]!.n;
const canteen = () => ({ file: { format: "xlsform", content: form } });

test("importing a form creates one draft per key, as in its preview, and it can be exported again as a form", async () => {
  const before = await countSurveys();
  const preview = await fixture.client.previewQuestionnaire(canteen(), as());
  expect(await countSurveys()).toBe(before);
  const once = () => fixture.client.importQuestionnaire(canteen(), as(idempotent("import", {}).context));
  const first = await once();
  expect(await once()).toEqual(first);
  const { survey, items } = first;
  expect(survey).toMatchObject({ name: "Canteen", active: false, questionCount: 7 });
  expect(items).toEqual(preview.items);
  expect(items.filter(({ outcome }) => outcome === "left_out").map(({ name }) => name)).toEqual([
    "unused",
    "start",
    "sum",
    "place",
  ]);
  const { surveyId } = survey!;
  const { documentJson, etag } = await fixture.client.getDocument({ surveyId }, as());
  expect(JSON.parse(documentJson)).toMatchObject({ pages: [{ key: "meal" }, { key: "each" }, { key: "last" }] });
  const written = await fixture.client.getXlsform({ surveyId }, as());
  expect(written.etag).toBe(contentTag(written.file));
  expect(written.etag).not.toBe(etag);
  const again = await readQuestionnaire("xlsform", written.file);
  expect(JSON.parse(again.documentJson)).toMatchObject({
    pages: (JSON.parse(preview.documentJson) as { pages: object[] }).pages,
  });
  const entries = await auditEntries(fixture.sql);
  expect(entries.filter(({ resourceId }) => resourceId === surveyId)).toMatchObject([{ action: "survey.created" }]);
});

test("an invalid file, one with more questions than a survey may have, and an unknown format write nothing", async () => {
  const before = await countSurveys();
  const odd = fixture.client.importQuestionnaire({ file: { format: "lss", content: form } }, as());
  expect(await refusal(odd)).toMatchObject({ code: "validation_failed" });
  const elements = Array.from({ length: 1_001 }, (_, at) => ({ type: "text", name: `q${at}` }));
  const large = {
    file: { format: "surveyjs", content: new Uint8Array(bytesOf({ ...canteenSurveyjs, pages: [{ elements }] })) },
  };
  expect(await refusal(fixture.client.importQuestionnaire(large, as()))).toMatchObject({ code: "validation_failed" });
  const unknown = fixture.client.importQuestionnaire({ file: { format: "docx", content: form } }, as());
  expect(await refusal(unknown)).toMatchObject({ code: "service_unavailable" });
  expect(await countSurveys()).toBe(before);
});
