import type { Sql } from "@canvass/postgres";
import type { Activity } from "../../domain/contacts/activity.ts";
import type { ContactRef } from "../../domain/contacts/contact.ts";

export type NewActivity = ContactRef & Activity;

export async function insertActivities(sql: Sql, activities: readonly NewActivity[]): Promise<void> {
  if (activities.length === 0) return;
  await sql.query(
    `INSERT INTO contact_activities (workspace_id, contact_id, activity_id, kind, at, changed_fields, import_id,
       distributor_id)
     SELECT r."workspaceId", r."contactId", r."activityId", r.kind, r.at, r."changedFields", r."importId",
       r."distributorId"
     FROM jsonb_to_recordset($1::jsonb) AS r ("workspaceId" text, "contactId" text, "activityId" text, kind text,
       at timestamptz, "changedFields" text[], "importId" text, "distributorId" text)`,
    [JSON.stringify(activities)],
  );
}

export function findActivityPage(
  sql: Sql,
  { workspaceId, contactId }: ContactRef,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Activity[]> {
  return sql.query<Activity>(
    `SELECT activity_id AS "activityId", kind, at, changed_fields AS "changedFields", import_id AS "importId",
       distributor_id AS "distributorId"
     FROM contact_activities WHERE (workspace_id, contact_id) = ($1, $2) AND activity_id < $3
     ORDER BY activity_id DESC LIMIT $4`,
    [workspaceId, contactId, after ?? "~", limit],
  );
}
