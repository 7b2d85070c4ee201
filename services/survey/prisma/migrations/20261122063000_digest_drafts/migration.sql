-- What a page, a question and a whole draft hold in 32 characters, so that a draft is compared with what is published
-- without reading either. The database keeps the digests of pages and questions.
ALTER TABLE "pages" ADD COLUMN "digest" TEXT GENERATED ALWAYS AS (md5(
  "page_id" || quote_nullable("title") || coalesce("loop"::text, '-') || "skip_logic"::text
)) STORED;

ALTER TABLE "elements" ADD COLUMN "digest" TEXT GENERATED ALWAYS AS (md5(
  "element_id" || ' ' || "question_id" || ' ' || "type"::text || ' ' || quote_nullable("question_text")
  || quote_nullable("help_text") || "type_settings"::text || "response_validation"::text || coalesce("choices"::text, '-')
  || coalesce("rows"::text, '-') || coalesce("columns"::text, '-')
)) STORED;

-- AlterTable
ALTER TABLE "versions" ADD COLUMN     "digest" TEXT;

UPDATE "versions" SET "digest" = (
  SELECT md5(string_agg(
    md5((p.value ->> 'pageId') || quote_nullable(p.value ->> 'title')
      || coalesce(nullif(p.value -> 'loop', 'null')::text, '-') || (p.value -> 'skipLogic')::text)
    || ':' || coalesce((
      SELECT string_agg(md5(
        (e.value ->> 'elementId') || ' ' || (e.value ->> 'questionId') || ' ' || (e.value ->> 'type') || ' '
        || quote_nullable(e.value ->> 'text') || quote_nullable(e.value ->> 'helpText')
        || (e.value -> 'typeSettings')::text || (e.value -> 'responseValidation')::text
        || coalesce((e.value -> 'choices')::text, '-') || coalesce((e.value -> 'rows')::text, '-')
        || coalesce((e.value -> 'columns')::text, '-')
      ), '' ORDER BY e.position)
      FROM jsonb_array_elements(p.value -> 'elements') WITH ORDINALITY AS e (value, position)
    ), ''), ' ' ORDER BY p.position))
  FROM jsonb_array_elements("definition" -> 'pages') WITH ORDINALITY AS p (value, position)
  WHERE p.value -> 'elements' <> '[]' OR p.value -> 'skipLogic' <> '[]'
);

-- Edits may have undone each other.
UPDATE "surveys" s SET "draft_changed" = v."digest" IS DISTINCT FROM (
  SELECT md5(string_agg(p."digest" || ':' || coalesce(e."digests", ''), ' ' ORDER BY p."sort_order"))
  FROM "pages" p LEFT JOIN LATERAL (
    SELECT string_agg("digest", '' ORDER BY "sort_order") AS "digests" FROM "elements"
    WHERE "workspace_id" = p."workspace_id" AND "survey_id" = p."survey_id" AND "page_id" = p."page_id"
  ) e ON true
  WHERE p."workspace_id" = s."workspace_id" AND p."survey_id" = s."survey_id"
    AND (e."digests" IS NOT NULL OR p."skip_logic" <> '[]')
)
FROM "versions" v
WHERE s."draft_changed" AND (v."workspace_id", v."survey_id", v."version_id")
  = (s."workspace_id", s."survey_id", s."published_version_id");
