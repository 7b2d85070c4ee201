import type { Sql } from "@canvass/postgres";
import type { RespondentRef } from "./respondents.ts";
import { sendAll } from "@canvass/postgres";

/** Deletes the rows of a respondent and its answers, nothing else that refers to it. */
export async function deleteRespondent(sql: Sql, { workspaceId, respondentId }: RespondentRef): Promise<void> {
  const where = "WHERE (workspace_id, respondent_id) = ($1, $2)";
  const params = [workspaceId, respondentId];
  await sendAll(sql, [
    { text: `DELETE FROM answer_sets ${where}`, params },
    { text: `DELETE FROM respondents ${where}`, params },
  ]);
}

/** Returns a respondent's country; "" if it is unknown. */
export async function findCountry(sql: Sql, { workspaceId, respondentId }: RespondentRef): Promise<string> {
  const [row] = await sql.query<{ country: string }>(
    "SELECT country FROM respondents WHERE (workspace_id, respondent_id) = ($1, $2)",
    [workspaceId, respondentId],
  );
  return row?.country ?? "";
}
