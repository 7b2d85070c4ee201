import { inTransaction, type Sql } from "@canvass/postgres";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { lockRespondents } from "../src/storage/respondents/respondent-rows.ts";
import { ratingQuestion, startHarness, testId, workspaceId } from "./harness.ts";

const harness = await sharedByFile(startHarness([[ratingQuestion("a"), ratingQuestion("b")]]));

test("a respondent that a batch names many times is read once, with all that any of them needs", async () => {
  const [respondentId, other] = [await harness.start(), await harness.start()];
  for (const id of [respondentId, other]) {
    const responses = ["a", "b"].map((name) => ({ elementId: testId(name), value: 3 }));
    await harness.submit({ respondentId: id, responses });
  }
  const all = { workspaceId, respondentId, answerKeys: null };
  const some = (id: string, name: string) => ({ workspaceId, respondentId: id, answerKeys: [testId(name)] });
  const wanted = [
    ...Array.from({ length: 50 }, () => all),
    some(respondentId, "a"),
    some(other, "b"),
    some(other, "b"),
  ];
  let rows = 0;
  const { states } = await inTransaction(harness.pool, (sql) =>
    lockRespondents(
      {
        query: async <Row>(text: string, params?: readonly unknown[]) => {
          const found = await sql.query<Row>(text, params);
          rows += found.length;
          return found;
        },
      } satisfies Sql,
      wanted,
    ),
  );
  const answered = states.map((state) => [state.respondentId, [...state.answers.keys()].toSorted()]);
  expect(Object.fromEntries(answered)).toEqual({
    [respondentId]: [testId("a"), testId("b")].toSorted(),
    [other]: [testId("b")],
  });
  // Two respondents, and one set of answers of each.
  expect(rows).toBe(4);
});

test("one respondent alone is read as among others, also when an older process left its answers unweighed", async () => {
  const [respondentId, other] = [await harness.start(), await harness.start()];
  await harness.submit({ respondentId, responses: [{ elementId: testId("a"), value: 3 }] });
  const refs = [respondentId, other].map((id) => ({ workspaceId, respondentId: id, answerKeys: [testId("a")] }));
  const read = (wanted: typeof refs) =>
    inTransaction(harness.pool, async (sql) => (await lockRespondents(sql, wanted)).states[0]);
  const counted = await read(refs);
  expect(await read([refs[0]!])).toEqual(counted);
  await harness.sql("UPDATE respondents SET answer_weight = NULL WHERE respondent_id = $1", [respondentId]);
  const weighed = await read(refs);
  expect(weighed!.answerWeight).toBeGreaterThan(0);
  expect(await read([refs[0]!])).toEqual(weighed);
  expect(await read([{ ...refs[0]!, respondentId: "0000000000000000" }])).toBeUndefined();
});
