import type { Sql } from "@canvass/postgres";
import type { LinkUser } from "../../domain/links/starts-again.ts";

export interface LinkUse {
  workspaceId: string;
  linkId: string;
  /** Empty if anonymity forbids a connection from the link to answers. */
  respondentId: string;
  /** With anonymity, partial or full, the day. */
  usedAt: Date;
  /** With full anonymity. */
  isAnonymous: boolean;
}

export interface LinkKey {
  workspaceId: string;
  linkId: string;
}

// In key order, to avoid deadlocks. An insert waits for the transaction that inserts the same row.
const INSERT = `INSERT INTO used_links (workspace_id, link_id, respondent_id, used_at, is_anonymous)
  SELECT workspace_id, link_id, respondent_id, used_at, is_anonymous
  FROM json_to_recordset($1::json)
    AS u (workspace_id text, link_id text, respondent_id text, used_at timestamptz, is_anonymous boolean)
  ORDER BY workspace_id, link_id ON CONFLICT DO NOTHING RETURNING workspace_id AS "workspaceId", link_id AS "linkId"`;

/** Claims unused links and returns them. The links must be distinct. One of several concurrent starts wins. */
export function insertLinkUses(sql: Sql, uses: readonly LinkUse[]): Promise<LinkKey[]> {
  return sql.query<LinkKey>(INSERT, [rowsOf(uses)]);
}

function rowsOf(uses: readonly LinkUse[]): string {
  const rows = uses.map(({ workspaceId, linkId, respondentId, usedAt, isAnonymous }) => ({
    workspace_id: workspaceId,
    link_id: linkId,
    respondent_id: respondentId,
    used_at: usedAt,
    is_anonymous: isAnonymous,
  }));
  return JSON.stringify(rows);
}

const LOCK = `SELECT 1 AS locked FROM unnest($1::text[], $2::text[]) AS wanted (workspace_id, link_id)
    JOIN used_links u USING (workspace_id, link_id)
  ORDER BY u.workspace_id, u.link_id FOR UPDATE OF u`;

/** Locks link uses in key order until the transaction ends. Read them in a later statement. */
export async function lockLinkUses(sql: Sql, links: readonly LinkKey[]): Promise<void> {
  await sql.query(LOCK, keysOf(links));
}

const REPLACE = `UPDATE used_links u SET respondent_id = n.respondent_id, used_at = n.used_at, is_anonymous = n.is_anonymous
  FROM json_to_recordset($1::json)
    AS n (workspace_id text, link_id text, respondent_id text, used_at timestamptz, is_anonymous boolean)
  WHERE (u.workspace_id, u.link_id) = (n.workspace_id, n.link_id) RETURNING 1 AS replaced`;

/** Reassigns links, which must be locked. */
export async function replaceLinkUses(sql: Sql, uses: readonly LinkUse[]): Promise<void> {
  if (uses.length > 0) await sql.query(REPLACE, [rowsOf(uses)]);
}

export interface UsedLink extends LinkUse, LinkUser {
  /** Null if the link leads to no respondent; then `completedAt` is, too. */
  surveyId: string | null;
}

const FIND = `SELECT u.workspace_id AS "workspaceId", u.link_id AS "linkId", u.respondent_id AS "respondentId",
    u.used_at AS "usedAt", u.is_anonymous AS "isAnonymous", u.is_erased AS "isErased", r.completed_at AS "completedAt",
    coalesce(r.is_screened_out, false) AS "isScreenedOut",
    r.survey_id AS "surveyId", coalesce(r.contact_id <> '', false) AS "hasContact"
  FROM unnest($1::text[], $2::text[]) AS wanted (workspace_id, link_id)
    JOIN used_links u USING (workspace_id, link_id)
    LEFT JOIN respondents r ON (r.workspace_id, r.respondent_id) = (u.workspace_id, u.respondent_id)`;

export function findLinkUses(sql: Sql, links: readonly LinkKey[]): Promise<UsedLink[]> {
  return sql.query<UsedLink>(FIND, keysOf(links));
}

function keysOf(links: readonly LinkKey[]): [string[], string[]] {
  return [links.map(({ workspaceId }) => workspaceId), links.map(({ linkId }) => linkId)];
}

/** Takes a respondent out of the uses of links and marks these as erased. */
export async function eraseLinkUses(
  sql: Sql,
  { workspaceId, respondentId }: { workspaceId: string; respondentId: string },
): Promise<void> {
  await sql.query(
    `UPDATE used_links SET respondent_id = '', is_erased = true WHERE (workspace_id, respondent_id) = ($1, $2)
     RETURNING 1 AS unlinked`,
    [workspaceId, respondentId],
  );
}
