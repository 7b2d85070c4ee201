import { parquetReadObjects } from "hyparquet";
import { shownEntries, type Question } from "@canvass/questions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startExportHarness, type ExportHarness } from "./export-harness.ts";
import { ratingQuestion, surveyId, testId } from "./harness.ts";
import { readSav } from "./read-sav.ts";

const choices = ["a", "b", "c", "d", "e"].map((name) => ({
  id: testId(name),
  text: name.toUpperCase(),
  retired: false,
  ...(name === "b" && { freeText: true }),
  ...(name === "e" && { pinned: true, exclusive: true }),
}));
const several: Question = {
  ...ratingQuestion("uses"),
  name: "uses",
  type: 4,
  typeSettings: { multipleAnswers: true, shuffle: true, minSelections: 0 },
  choices,
};
const after = ratingQuestion("after");

let harness: ExportHarness;
beforeAll(async () => {
  harness = await startExportHarness([[several, after]]);
  const [page] = harness.survey.versions.get(1)!.pages;
  page!.shuffle = true;
});
afterAll(() => harness[Symbol.asyncDispose]());

const options = () => harness.as();
const seedOf = async (respondentId: string) =>
  (await harness.client.getRespondent({ surveyId, respondentId }, options())).respondent!.orderSeed;

async function answered(value: unknown): Promise<string> {
  const respondentId = await harness.start();
  const responses = [
    ...(value === undefined ? [] : [{ elementId: several.elementId, value }]),
    { elementId: after.elementId, value: 3 },
  ];
  await harness.submit({ respondentId, responses });
  return respondentId;
}

async function fileOf(body: object): Promise<Buffer> {
  const exportId = await harness.create(body);
  await harness.untilEnded(exportId);
  return harness.download(await harness.createDownloadToken(exportId));
}

test("files distinguish nothing chosen from not answered, and have separate texts and orders", async () => {
  const text = { choiceId: testId("b"), otherText: "tea" };
  const people = [await answered([testId("a"), text]), await answered([]), await answered(undefined)].toSorted();
  const cellsOf = async () => {
    const { rows, variables, sets } = await readSav(await fileOf({ format: "sav", elementIds: [several.elementId] }));
    return { names: variables.slice(9).map(({ name }) => name), rows: rows.map((row) => row.slice(9)), sets };
  };
  const sav = await cellsOf();
  const names = ["a", "b", "c", "d", "e"].map((name) => `uses_${testId(name)}`);
  expect(sav.names).toEqual([...names, `uses_${testId("b")}_otherText`]);
  const told = sav.rows.map((row) => JSON.stringify(row));
  expect(told).toHaveLength(3);
  expect(told).toEqual(
    expect.arrayContaining([
      '[1,1,0,0,0,"tea"]',
      expect.stringMatching(/^\[0,0,0,0,0,(""|null)\]$/),
      expect.stringMatching(/^\[null,null,null,null,null,(""|null)\]$/),
    ]),
  );
  expect(sav.sets).toContain("$uses=D1 1 ");
  const parquet = await fileOf({ format: "parquet", includeOrder: true, labels: "ids" });
  const rows = await parquetReadObjects({ file: new Uint8Array(parquet).buffer });
  expect(rows.map((row) => String(row["respondentId"])).toSorted()).toEqual(people);
  const firsts = rows.map((row) => String(row[names[0]!] ?? "missing"));
  expect(firsts.toSorted()).toEqual(["0", "1", "missing"]);
  for (const row of rows) {
    const seed = await seedOf(row["respondentId"] as string);
    const shown = shownEntries(several.elementId, several, "choices", seed).map(({ id }) => id);
    expect(String(row["uses_order"]).split("; ")).toEqual(shown);
    expect(shown[4]).toBe(testId("e"));
  }
  const [line] = await harness.rows({ includeOrder: true });
  expect((line!["uses: Order of choices"] as string[]).toSorted()).toEqual(["A", "B", "C", "D", "E"]);
  expect((line!["Page: Order of elements"] as string[]).toSorted()).toEqual(["after", "uses"]);
  expect(Object.keys((await harness.rows({}))[0]!)).not.toContain("uses: Order of choices");
});

test("an exclusive choice with others, and a text of a choice without freeText, are refused at their paths", async () => {
  const respondentId = await harness.start();
  const submit = (value: unknown) =>
    harness.submit({ respondentId, responses: [{ elementId: several.elementId, value }] });
  expect(await submit([testId("a"), testId("e")])).toMatchObject({
    details: { "responses.0.value.1": ["cannot be chosen together with others"] },
  });
  expect(await submit([{ choiceId: testId("a"), otherText: "x" }])).toMatchObject({
    details: { "responses.0.value.0.otherText": [expect.stringContaining("freeText")] },
  });
  expect(await submit([testId("e")])).toMatchObject({ code: "submitted" });
});

test("an order seed sent at the start is kept; without one, the service makes one", async () => {
  const start = async (body: object) => {
    const bodyJson = JSON.stringify(body);
    return (await harness.client.startRespondent({ surveyId, bodyJson }, options())).respondent!;
  };
  const given = await start({ orderSeed: 12 });
  expect([given.orderSeed, await seedOf(given.respondentId)]).toEqual([12, 12]);
  const made = await start({});
  expect(made.orderSeed).toBeGreaterThan(0);
  expect(await seedOf(made.respondentId)).toBe(made.orderSeed);
  await expect(start({ orderSeed: 0 })).rejects.toThrow(/invalid|validation/i);
  // Who began before orders were stored has none.
  await harness.sql("UPDATE respondents SET order_seed = NULL WHERE respondent_id = $1", [made.respondentId]);
  expect(await seedOf(made.respondentId)).toBe(0);
});
