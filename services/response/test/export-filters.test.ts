import { sqlFromPg } from "@canvass/postgres";
import type { Condition } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { refusal } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { createRowMatcher } from "../src/application/exports/matching-rows.ts";
import { readExportOptions } from "../src/domain/exports/export-options.ts";
import { findExportRows } from "../src/storage/exports/export-rows.ts";
import { fill, startExportHarness } from "./export-harness.ts";
import { rowsInPart } from "./hold-parts.ts";
import { definitionOf, ratingQuestion, readAggregation, surveyId, testId, workspaceId } from "./harness.ts";

const pages = [[{ ...ratingQuestion("a"), name: "taste" }, ratingQuestion("b")]];
const fields = [{ name: "plan", type: "text" as const }];

interface Filter {
  where?: Condition;
  versionNumber?: number;
}

const harness = await sharedByFile(startExportHarness(pages));
beforeEach(() => harness.sql("TRUNCATE respondents, answer_sets, survey_counters"));

/** Returns the respondents that an export with this filter has. Starts no thread, and writes no file. */
async function idsMatching({ where, versionNumber }: Filter) {
  const options = {
    ...readExportOptions({ format: "ndjson" }, "UTC"),
    where: where ?? null,
    versionNumber: versionNumber ?? null,
  };
  const walk = { workspaceId, surveyId, options, startedUntil: harness.clock.now() };
  const version = (id: string) => {
    const [, definition] = [...harness.survey.versions].find(([number]) => testId(`version${number}`) === id)!;
    return Promise.resolve({ definition });
  };
  const matchRows = createRowMatcher({ options }, { version } as never);
  return (await matchRows(await findExportRows(sqlFromPg(harness.pool), walk, ""))).map((row) => row.respondentId);
}

test("an export holds the respondents that results count by the same filter", async () => {
  const { versions } = harness.survey;
  const options = callOptions({ signedCaller: harness.signed() });
  versions.set(1, { ...definitionOf(pages), fields });
  const complete = async (plan: string, language: string, value: number) => {
    const bodyJson = JSON.stringify({ fields: { plan } });
    const { respondent } = await harness.client.startRespondent({ surveyId, bodyJson }, options);
    const { respondentId } = respondent!;
    await harness.submit({ respondentId, responses: [{ elementId: testId("a"), value }], metadata: { language } });
    return respondentId;
  };
  const first = await complete("pro", "de-AT", 2);
  const second = await complete("free", "en", 5);
  versions.set(2, { ...definitionOf(pages), fields });
  harness.survey.versionNumber = 2;
  harness.clock.advance(1_000);
  const third = await complete("pro", "en", 5);

  const found = async (body: object) =>
    (await harness.rows({ headings: "names", ...body })).map((row) => row["respondentId"]);
  const isHigh = { elementId: testId("a"), operator: "at_least", value: 4 } satisfies Condition;
  const isPro = { field: "plan", operator: "equals", value: "pro" } satisfies Condition;
  const byName = { where: { name: "taste", operator: "at_least", value: 4 } };
  expect(await found(byName)).toEqual([second, third]);
  expect(await found({ where: { not: isHigh }, versionNumber: 1 })).toEqual([first]);
  const cases: [filter: Filter, ids: string[]][] = [
    [{ where: isHigh }, [second, third]],
    [{ where: { all: [isHigh, isPro] } }, [third]],
    [{ where: { language: true, operator: "equals", value: "de" } }, [first]],
    [{ where: { not: isHigh }, versionNumber: 1 }, [first]],
    [{ versionNumber: 2 }, [third]],
    [{ where: { elementId: testId("b"), operator: "answered" } }, []],
  ];
  for (const [filter, ids] of cases) {
    expect([filter, await idsMatching(filter)]).toEqual([filter, ids]);
    const { where, versionNumber } = filter;
    const asked = { ...(where && { whereJson: JSON.stringify(where) }), ...(versionNumber && { versionNumber }) };
    const { totalCompleted } = await readAggregation(harness.client, options, { filter: asked });
    expect([filter, Number(totalCompleted)]).toEqual([filter, ids.length]);
  }
});

test("a filter is refused with all its violations", async () => {
  const body = {
    versionNumber: 9,
    where: {
      all: [
        { elementId: testId("x"), operator: "answered" },
        { field: "x", operator: "answered" },
      ],
    },
  };
  expect(await refusal(harness.create(body))).toMatchObject({
    code: "validation_failed",
    details: {
      versionNumber: ["must be the number of a published version"],
      "where.all.0.elementId": [expect.any(String)],
      "where.all.1.field": [expect.any(String)],
    },
  });
  for (const where of [null, 5, {}, "answered"]) {
    const refused = await refusal(harness.create({ where }));
    expect([where, refused?.code]).toEqual([where, "validation_failed"]);
  }
});

test("a condition that few rows match writes no empty parts, and the checkpoint counts every row that was read", async () => {
  const respondents = 2 * rowsInPart + 1;
  await fill(harness.sql, { respondents, elementIds: [testId("a")] });
  const last = String(respondents).padStart(16, "0");
  const answers = JSON.stringify({ [testId("b")]: 3 });
  await harness.sql("UPDATE answer_sets SET answers = answers || $1::jsonb WHERE respondent_id = $2", [answers, last]);
  const where = { elementId: testId("b"), operator: "answered" };
  const exportId = await harness.create({ where });
  expect(await harness.untilEnded(exportId)).toMatchObject({ status: "completed", rowCount: 1n });
  expect((await harness.download(await harness.createDownloadToken(exportId))).toString()).toContain(last);
  const [job] = await harness.sql<{ checkpoint: { rowsRead: number; parts: unknown[] } }>(
    "SELECT checkpoint FROM jobs WHERE job_id = $1",
    [exportId],
  );
  expect([job!.checkpoint.rowsRead, job!.checkpoint.parts.length]).toEqual([respondents, 1]);
});
