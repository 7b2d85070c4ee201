import { resourceOf } from "@canvass/access";
import type { Sql } from "@canvass/postgres";
import type { AuditRecorded } from "@canvass/proto/events";

export interface RecordedChange {
  entryId: string;
  workspaceId: string;
  at: Date;
  recorded: AuditRecorded;
}

export async function insertRecordedChanges(sql: Sql, changes: readonly RecordedChange[]): Promise<void> {
  const texts = (value: (recorded: AuditRecorded) => string) => changes.map(({ recorded }) => value(recorded));
  await sql.query(
    `INSERT INTO audit_entries (workspace_id, entry_id, at, actor, person_id, person_name, token_id, token_name,
       request_id, address, action, resource_type, resource_id, before, after)
     SELECT workspace_id, entry_id, at, CASE person_id WHEN '' THEN 'platform' ELSE 'person' END,
       nullif(person_id, ''), nullif(person_name, ''), nullif(token_id, ''), nullif(token_name, ''),
       nullif(request_id, ''), nullif(address, ''), action, resource_type, resource_id,
       nullif(before, '')::jsonb, nullif(after, '')::jsonb
     FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[])
       AS new(workspace_id, entry_id, at, person_id, person_name, token_id, token_name, request_id, address, action,
         resource_type, resource_id, before, after)
     ORDER BY workspace_id, entry_id
     ON CONFLICT DO NOTHING`,
    [
      changes.map(({ workspaceId }) => workspaceId),
      changes.map(({ entryId }) => entryId),
      changes.map(({ at }) => at.toISOString()),
      texts(({ personId }) => personId),
      texts(({ personName }) => personName),
      texts(({ tokenId }) => tokenId),
      texts(({ tokenName }) => tokenName),
      texts(({ requestId }) => requestId),
      texts(({ clientAddress }) => clientAddress),
      texts(({ action }) => action),
      texts(({ action }) => resourceOf(action)),
      texts(({ resourceId }) => resourceId),
      texts(({ beforeJson }) => beforeJson),
      texts(({ afterJson }) => afterJson),
    ],
  );
}
