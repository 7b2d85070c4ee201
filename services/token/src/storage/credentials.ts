import type { Sql } from "@canvass/postgres";
import { isId } from "@canvass/values";

export interface WantedCredential {
  tokenSha256: Uint8Array;
  /** Empty for the token's own workspace. */
  workspaceId: string;
}

/** An unrevoked token, its person, and their membership in the requested workspace. */
export interface FoundCredential {
  homeWorkspaceId: string;
  tokenId: string;
  tokenName: string;
  scopes: string[];
  live: boolean;
  expiresAt: Date | null;
  personId: string;
  personName: string;
  /** Null if the person is not a member of the requested workspace. */
  membership: FoundMembership | null;
  /** Changes with every write to a row that this result was read from. */
  version: string;
}

export interface FoundMembership {
  workspaceId: string;
  plan: string;
  timeZone: string;
  role: string;
  customPowers: string[] | null;
}

interface Row extends Omit<FoundCredential, "membership"> {
  position: number;
  workspaceId: string | null;
  plan: string;
  timeZone: string;
  role: string;
  customPowers: string[] | null;
}

/** `version` joins the xmin (last writing transaction) of each row, so that writers need no counter. */
const FIND = `
SELECT asked.position::int4 AS "position", t.workspace_id AS "homeWorkspaceId", t.token_id AS "tokenId",
  t.name AS "tokenName", t.scopes, t.live, t.expires_at AS "expiresAt", p.person_id AS "personId",
  p.name AS "personName", w.workspace_id AS "workspaceId", w.plan, w.time_zone AS "timeZone", m.role,
  r.powers AS "customPowers", concat_ws('.', t.xmin, p.xmin, m.xmin, w.xmin, r.xmin) AS "version"
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (sha256, workspace_id, position)
JOIN api_tokens t ON t.token_sha256 = decode(asked.sha256, 'hex') AND t.revoked_at IS NULL
JOIN people p ON p.person_id = t.person_id
LEFT JOIN memberships m
  ON m.workspace_id = coalesce(nullif(asked.workspace_id, ''), t.workspace_id) AND m.person_id = t.person_id
LEFT JOIN workspaces w ON w.workspace_id = m.workspace_id
LEFT JOIN custom_roles r ON r.workspace_id = m.workspace_id AND r.role_id = m.custom_role_id`;

/** An id that no workspace has. */
const nowhere = "-";

/** In the order of the request; undefined if there is no such token. */
export async function findCredentials(
  sql: Sql,
  wanted: readonly WantedCredential[],
): Promise<(FoundCredential | undefined)[]> {
  const rows = await sql.query<Row>(FIND, [
    wanted.map(({ tokenSha256 }) => Buffer.from(tokenSha256).toString("hex")),
    wanted.map(({ workspaceId }) => (workspaceId === "" || isId(workspaceId) ? workspaceId : nowhere)),
  ]);
  const found = new Map(rows.map((row) => [row.position - 1, credentialOf(row)]));
  return wanted.map((_, index) => found.get(index));
}

function credentialOf(row: Row): FoundCredential {
  const { workspaceId, plan, timeZone, role, customPowers, ...token } = row;
  return { ...token, membership: workspaceId === null ? null : { workspaceId, plan, timeZone, role, customPowers } };
}
