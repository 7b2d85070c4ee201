import type { Sql } from "@canvass/postgres";

export interface Recipient {
  workspaceId: string;
  workspaceName: string;
  timeZone: string;
  personId: string;
  name: string;
  address: string;
}

/** Returns the owners and admins of the workspaces. */
export function findRecipients(sql: Sql, workspaceIds: readonly string[]): Promise<Recipient[]> {
  return sql.query<Recipient>(
    `SELECT w.workspace_id AS "workspaceId", w.name AS "workspaceName", w.time_zone AS "timeZone",
       p.person_id AS "personId", p.name, p.email AS address
     FROM memberships m
     JOIN workspaces w ON w.workspace_id = m.workspace_id
     JOIN people p ON p.person_id = m.person_id
     WHERE m.workspace_id = ANY($1::text[]) AND m.role IN ('owner', 'admin')
     ORDER BY w.workspace_id, p.person_id`,
    [workspaceIds],
  );
}
