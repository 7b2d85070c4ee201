import type { Sql, Statement } from "@canvass/postgres";
import type { DistributorRef, Link } from "../../domain/links/link.ts";

const columns = `l.workspace_id AS "workspaceId", l.distributor_id AS "distributorId", l.revision, l.survey_id AS "surveyId", coalesce(l.code, '') AS code, l.type,
  l.status, l.opens_at AS "opensAt", l.closes_at AS "closesAt", l.response_limit::float8 AS "responseLimit",
  l.has_password AS "hasPassword", l.time_zone AS "timeZone", NOT l.is_deleted AS found,
  l.held_until IS NOT NULL AS "isHeld"`;

/** When a hold has ended, its owner may have deleted the link: what is stored is unknown until the owner is asked. */
const isKnown = "(l.is_deleted OR coalesce(l.held_until > clock_timestamp(), true))";

const FIND = `SELECT ${columns} FROM unnest($1::text[], $2::text[]) AS wanted (workspace_id, distributor_id)
  JOIN collecting_links l USING (workspace_id, distributor_id) WHERE ${isKnown}`;

/** Returns those that are known, in any order. Pass each ref once. */
export async function findCollectingLinks(sql: Sql, refs: readonly DistributorRef[]): Promise<Link[]> {
  if (refs.length === 0) return [];
  return sql.query<Link>(FIND, [
    refs.map(({ workspaceId }) => workspaceId),
    refs.map(({ distributorId }) => distributorId),
  ]);
}

const FIND_BY_CODE = `SELECT ${columns} FROM unnest($1::text[]) AS wanted (code) JOIN collecting_links l USING (code)
  WHERE ${isKnown}`;

export async function findLinksByCode(sql: Sql, codes: readonly string[]): Promise<Link[]> {
  return sql.query<Link>(FIND_BY_CODE, [codes]);
}

const stored = `workspace_id, distributor_id, revision, survey_id, code, type, status, opens_at, closes_at, response_limit,
  has_password, time_zone`;

const PUT = `INSERT INTO collecting_links AS known (${stored})
  VALUES ($1, $2, $3::int8, $4, nullif($5, ''), $6, $7, $8::timestamptz, $9::timestamptz, $10::int8, $11, $12)
  ON CONFLICT (workspace_id, distributor_id) DO UPDATE SET revision = excluded.revision, status = excluded.status,
    opens_at = excluded.opens_at, closes_at = excluded.closes_at, response_limit = excluded.response_limit,
    has_password = excluded.has_password, time_zone = excluded.time_zone
  WHERE known.revision < excluded.revision AND NOT known.is_deleted`;

/** Deletion comes without a revision, as the last change. The higher revision makes other processes read the row. */
const DELETE = `INSERT INTO collecting_links AS known (${stored}, is_deleted)
  VALUES ($1, $2, 1, $3, NULL, '', 'closed', NULL, NULL, NULL, false, 'UTC', true)
  ON CONFLICT (workspace_id, distributor_id) DO UPDATE SET revision = known.revision + 1, code = NULL, is_deleted = true
  WHERE NOT known.is_deleted`;

/**
 * Returns the statement that stores a state unless a newer one is stored. If `found` is false, it deletes the link.
 * The survey must be locked.
 */
export function collectingLinkStatement({ workspaceId, distributorId, surveyId, ...link }: Link): Statement {
  if (!link.found) return { text: DELETE, params: [workspaceId, distributorId, surveyId] };
  const { revision, code, type, status, opensAt, closesAt, responseLimit, hasPassword, timeZone } = link;
  const key = [workspaceId, distributorId, revision, surveyId, code, type, status];
  return { text: PUT, params: [...key, opensAt, closesAt, responseLimit, hasPassword, timeZone] };
}

const HOLD = `UPDATE collecting_links SET held_until = clock_timestamp() + $3::int4 * interval '1 millisecond'
  WHERE (workspace_id, distributor_id) = ($1, $2) RETURNING 1 AS held`;

/**
 * Blocks starts by a stored link for a while, then until its owner is asked (`endedHoldStatement`). Its survey must be
 * locked.
 */
export async function holdLink(sql: Sql, { workspaceId, distributorId }: DistributorRef, ms: number): Promise<void> {
  await sql.query(HOLD, [workspaceId, distributorId, ms]);
}

const END_HOLD = `UPDATE collecting_links SET held_until = NULL
  WHERE (workspace_id, distributor_id, revision) = ($1, $2, $3::int8) AND held_until <= clock_timestamp()`;

/** Returns the statement that makes a link known again. `link`: what its owner answered after the hold had ended. */
export function endedHoldStatement({ workspaceId, distributorId, revision }: Link): Statement {
  return { text: END_HOLD, params: [workspaceId, distributorId, revision] };
}
