import type { Canvass } from "@canvass/sdk";
import type { Database } from "./open-database.ts";

/** More than a minute, after which refused calls are taken again: a refusal would begin the list anew. */
const deadlineMs = 150_000;

/** Returns the ids of respondents that only the API or only the database has. Reads no answers. */
export async function compareIds(
  { canvass, database, signal }: { canvass: Canvass; database: Database; signal: AbortSignal },
  surveyId: string,
): Promise<string[]> {
  const rows = await database.read("SELECT respondent_id AS id FROM respondents");
  const onlyHere = new Set(rows.map(({ id }) => String(id)));
  const onlyThere: string[] = [];
  for await (const { respondentId } of canvass.responses.respondents(
    surveyId,
    { limit: 100 },
    { signal, deadlineMs },
  )) {
    if (!onlyHere.delete(respondentId)) onlyThere.push(respondentId);
  }
  return [...onlyHere, ...onlyThere];
}
