import type { Sql } from "@canvass/postgres";

export interface WorkspaceVersion {
  workspaceId: string;
  /** Number of changes that had arrived. */
  changes: string;
}

/**
 * Call it before asking the webhook service, so that an answer older than a change is not stored. Inserts the
 * workspaces that have no row.
 */
export async function findVersions(sql: Sql, workspaceIds: readonly string[]): Promise<WorkspaceVersion[]> {
  await sql.query(
    `INSERT INTO known_workspaces (workspace_id)
     SELECT workspace_id FROM unnest($1::text[]) AS asked (workspace_id) ORDER BY 1 ON CONFLICT DO NOTHING`,
    [workspaceIds],
  );
  return sql.query(
    `SELECT workspace_id AS "workspaceId", changes::text AS changes FROM known_workspaces WHERE workspace_id = ANY ($1)`,
    [workspaceIds],
  );
}

/** Locks and returns the workspaces whose webhooks have not changed since. */
export async function lockUnchanged(sql: Sql, versions: readonly WorkspaceVersion[]): Promise<Set<string>> {
  const rows = await sql.query<{ workspaceId: string }>(
    `SELECT k.workspace_id AS "workspaceId" FROM known_workspaces k
     JOIN unnest($1::text[], $2::bigint[]) AS seen (workspace_id, changes)
       ON seen.workspace_id = k.workspace_id AND seen.changes = k.changes
     ORDER BY k.workspace_id FOR UPDATE OF k`,
    [versions.map(({ workspaceId }) => workspaceId), versions.map(({ changes }) => changes)],
  );
  return new Set(rows.map(({ workspaceId }) => workspaceId));
}

/**
 * Locks the row of the workspace, or inserts it, until the transaction ends. Returns whether its webhooks are known.
 */
export async function lockWorkspace(sql: Sql, workspaceId: string): Promise<boolean> {
  await sql.query("INSERT INTO known_workspaces (workspace_id) VALUES ($1) ON CONFLICT DO NOTHING", [workspaceId]);
  const rows = await sql.query<{ isKnown: boolean }>(
    `SELECT is_known AS "isKnown" FROM known_workspaces WHERE workspace_id = $1 FOR UPDATE`,
    [workspaceId],
  );
  return rows[0]!.isKnown;
}

/** Counts a change. `isKnown`: whether what is stored is up to date with it. */
export async function countChange(sql: Sql, workspaceId: string, isKnown: boolean): Promise<void> {
  await sql.query("UPDATE known_workspaces SET changes = changes + 1, is_known = $2 WHERE workspace_id = $1", [
    workspaceId,
    isKnown,
  ]);
}

export async function markKnown(sql: Sql, workspaceIds: readonly string[]): Promise<void> {
  await sql.query("UPDATE known_workspaces SET is_known = true WHERE workspace_id = ANY ($1)", [workspaceIds]);
}
