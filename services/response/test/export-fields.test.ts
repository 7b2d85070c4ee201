import { callOptions } from "@canvass/rpc";
import { refusal } from "@canvass/service/testing";
import { expect, test } from "vitest";
import { startExportHarness } from "./export-harness.ts";
import { definitionOf, ratingQuestion, surveyId, testId } from "./harness.ts";

test("exports have a column for each field of all versions, after the respondent columns", async () => {
  const pages = [[{ ...ratingQuestion("a", true), name: "field_customer" }]];
  await using harness = await startExportHarness(pages);
  const { versions } = harness.survey;
  versions.set(1, {
    ...definitionOf(pages),
    fields: [
      { name: "old", type: "number" },
      { name: "Plan", type: "number" },
    ],
  });
  const complete = async (fields: object) => {
    const bodyJson = JSON.stringify({ fields });
    const { respondent } = await harness.client.startRespondent(
      { surveyId, bodyJson },
      callOptions({ signedCaller: harness.signed() }),
    );
    await harness.submit({ respondentId: respondent!.respondentId, responses: [{ elementId: testId("a"), value: 3 }] });
  };
  await complete({ old: 1, Plan: 2 });
  versions.set(2, {
    ...definitionOf(pages),
    fields: [
      { name: "customer", type: "text" },
      { name: "plan", type: "text" },
    ],
  });
  harness.survey.versionNumber = 2;
  harness.clock.advance(1_000);
  await complete({ customer: '=1+1","', plan: "pro" });
  const rows = await harness.rows({ headings: "names", includePartial: true });
  expect(rows.map((row) => Object.keys(row).slice(8))).toEqual(
    rows.map(() => ["metadata", "field_customer", "field_plan", "field_old", "q_field_customer"]),
  );
  expect(rows.map(({ field_customer, field_plan, field_old }) => [field_customer, field_plan, field_old])).toEqual([
    [null, "2", 1],
    ['=1+1","', "pro", null],
  ]);
  const [texts] = await harness.rows({});
  expect(Object.keys(texts!).slice(8)).toEqual(["Metadata", "Field: customer", "Field: plan", "Field: old", "a"]);
  const [chosen] = await harness.rows({ headings: "names", fields: ["PLAN"] });
  expect(Object.keys(chosen!).slice(8)).toEqual(["metadata", "field_plan", "q_field_customer"]);
  const [none] = await harness.rows({ headings: "names", fields: [] });
  expect(Object.keys(none!).slice(8)).toEqual(["metadata", "q_field_customer"]);
  expect(await refusal(harness.create({ fields: ["plan", "plan"] }))).toMatchObject({
    details: { "fields.1": ["is listed twice"] },
  });
  expect(await refusal(harness.create({ fields: ["plan", "old", "never"] }))).toMatchObject({
    code: "validation_failed",
    details: {
      "fields.1": ["must name a hidden field of the survey"],
      "fields.2": ["must name a hidden field of the survey"],
    },
  });
  const csv = await harness.create({ format: "csv" });
  await harness.untilEnded(csv);
  expect((await harness.download(await harness.createDownloadToken(csv))).toString()).toContain(`"'=1+1"","""`);
  for (const format of ["xlsx", "sav", "parquet"]) {
    expect(await harness.untilEnded(await harness.create({ format }))).toMatchObject({ status: "completed" });
  }
});
