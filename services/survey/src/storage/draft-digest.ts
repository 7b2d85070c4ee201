import type { Sql } from "@canvass/postgres";
import { DRAFT_LISTS } from "./survey-lists.ts";
import type { VersionRef } from "./versions.ts";

/**
 * The digest of the draft of survey `$2` in workspace `$1`. Reads no content of questions; ignores pages that
 * publishing drops. A draft without lists has the digest of releases before lists, so that versions of those still
 * compare equal.
 */
export const DRAFT_DIGEST = `(
  SELECT md5(string_agg(p.digest || coalesce(p.translations_digest, '') || ':' || coalesce(e.digests, ''), ' ' ORDER BY p.sort_order)
    || (SELECT CASE WHEN l.lists = '{}' THEN '' ELSE l.lists::text END FROM (${DRAFT_LISTS}) AS l))
  FROM pages p LEFT JOIN LATERAL (
    SELECT string_agg(digest || coalesce(translations_digest, ''), '' ORDER BY sort_order) AS digests FROM elements
    WHERE workspace_id = p.workspace_id AND survey_id = p.survey_id AND page_id = p.page_id
  ) e ON true
  WHERE p.workspace_id = $1 AND p.survey_id = $2 AND (e.digests IS NOT NULL OR p.skip_logic <> '[]')
)`;

const IS_PUBLISHED = `SELECT digest = ${DRAFT_DIGEST} AS "isPublished" FROM versions
WHERE workspace_id = $1 AND survey_id = $2 AND version_id = $3`;

/** Returns whether a version has exactly the current draft. The transaction must have locked the survey. */
export async function isDraftPublished(sql: Sql, { workspaceId, surveyId, versionId }: VersionRef): Promise<boolean> {
  const [row] = await sql.query<{ isPublished: boolean | null }>(IS_PUBLISHED, [workspaceId, surveyId, versionId]);
  return row?.isPublished ?? false;
}
