import type { Api } from "@canvass/sdk";
import type { Database } from "./open-database.ts";

const respondentShape = `[{"respondentId":"VARCHAR","status":"VARCHAR","versionNumber":"INTEGER","startedAt":"TIMESTAMPTZ","completedAt":"TIMESTAMPTZ","isTest":"BOOLEAN","language":"VARCHAR","distributorId":"VARCHAR","contactId":"VARCHAR","metadata":"JSON"}]`;
const answerShape = `[{"id":"VARCHAR","respondentId":"VARCHAR","elementId":"VARCHAR","itemId":"VARCHAR","type":"VARCHAR","value":"JSON","submittedAt":"TIMESTAMPTZ","offPath":"BOOLEAN"}]`;
const rowsOf = (shape: string) => `unnest(from_json($1::JSON, '${shape}'), recursive := true)`;

/** Replaces respondents with all their answers, within a transaction. Deletes those in `absent` that are not given. */
export async function storeRespondents(
  database: Database,
  {
    respondents,
    absent = [],
    walk,
  }: { respondents: readonly Api.Respondent[]; absent?: readonly string[]; walk: number },
): Promise<void> {
  const ids = JSON.stringify([...respondents.map(({ respondentId }) => respondentId), ...absent]);
  for (const table of ["respondents", "answers"])
    await database.run(
      `DELETE FROM ${table} WHERE respondent_id IN (SELECT unnest(from_json($1::JSON, '["VARCHAR"]')))`,
      [ids],
    );
  if (respondents.length === 0) return;
  const answers = respondents.flatMap((respondent) =>
    (respondent.answers ?? []).map((answer) => ({ ...answer, offPath: answer.offPath ?? false })),
  );
  await database.run(`INSERT INTO respondents SELECT *, ${walk} FROM (SELECT ${rowsOf(respondentShape)})`, [
    JSON.stringify(respondents),
  ]);
  await database.run(`INSERT INTO answers SELECT ${rowsOf(answerShape)}`, [JSON.stringify(answers)]);
}

/** Deletes the respondents that this walk did not find, with their answers. Call it within a transaction. */
export async function deleteUnseen(database: Database, walk: number): Promise<void> {
  await database.run(`DELETE FROM respondents WHERE walk <> ${walk}`);
  await database.run("DELETE FROM answers WHERE respondent_id NOT IN (SELECT respondent_id FROM respondents)");
}
