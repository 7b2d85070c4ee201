import type { Sql } from "@canvass/postgres";
import type { ContactRef } from "../../domain/contacts/contact.ts";
import type { DistributorKey } from "../distributors.ts";

export interface IssuedLinkKey extends DistributorKey {
  linkId: string;
}

export type OpenedBy = ContactRef & { distributorId: string };

// The locks prevent deleting and anonymizing the contacts; their order prevents deadlocks.
const SAVE = `WITH opened AS (
  SELECT l.workspace_id, l.distributor_id, l.link_id, l.contact_id
  FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::text[])
      AS asked (workspace_id, distributor_id, link_id)) AS asked
    JOIN issued_links l USING (workspace_id, distributor_id, link_id)
    JOIN contacts c ON c.workspace_id = l.workspace_id AND c.contact_id = l.contact_id
  WHERE l.opened_at IS NULL AND c.status <> 'anonymized'
  ORDER BY c.workspace_id, c.contact_id, l.link_id FOR SHARE OF c FOR UPDATE OF l
)
UPDATE issued_links l SET opened_at = $4::timestamptz FROM opened
WHERE (l.workspace_id, l.distributor_id, l.link_id) = (opened.workspace_id, opened.distributor_id, opened.link_id)
  AND l.opened_at IS NULL
RETURNING l.workspace_id AS "workspaceId", l.distributor_id AS "distributorId", l.contact_id AS "contactId"`;

/** Notes the time of first openings. Returns the contacts whose links were opened for the first time. */
export function saveOpened(sql: Sql, links: readonly IssuedLinkKey[], at: Date): Promise<OpenedBy[]> {
  const workspaceIds = links.map(({ workspaceId }) => workspaceId);
  const distributorIds = links.map(({ distributorId }) => distributorId);
  return sql.query<OpenedBy>(SAVE, [workspaceIds, distributorIds, links.map(({ linkId }) => linkId), at]);
}
