/**
 * What the draft of survey `$2` in workspace `$1` holds, in 32 characters: equal for equal drafts. Made of the digests that
 * the database keeps of pages and questions, so nothing long is read.
 */
export const DRAFT_DIGEST = `(
  SELECT md5(string_agg(p.digest || ':' || coalesce(e.digests, ''), ' ' ORDER BY p.sort_order))
  FROM pages p LEFT JOIN (
    SELECT page_id, string_agg(digest, '' ORDER BY sort_order) AS digests
    FROM elements WHERE workspace_id = $1 AND survey_id = $2 GROUP BY page_id
  ) e USING (page_id)
  WHERE p.workspace_id = $1 AND p.survey_id = $2
)`;
