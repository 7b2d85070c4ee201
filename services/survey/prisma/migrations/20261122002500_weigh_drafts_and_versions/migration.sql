-- What a question adds to its survey, and how long a version is, so that neither has to be read to be bounded.
-- AlterTable
ALTER TABLE "elements" ADD COLUMN     "bytes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "cells" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "versions" ADD COLUMN     "definition_bytes" INTEGER NOT NULL DEFAULT 0;

-- As text jsonb is a little longer than the JSON it was made of.
UPDATE "versions" SET "definition_bytes" = octet_length("definition"::text);

UPDATE "elements" SET
  "bytes" = octet_length(jsonb_build_object('elementId', "element_id", 'questionId', "question_id", 'type', "type",
    'text', "question_text", 'helpText', "help_text", 'typeSettings', "type_settings",
    'responseValidation', "response_validation")::text)
    + coalesce(octet_length("choices"::text), 0) + coalesce(octet_length("rows"::text), 0)
    + coalesce(octet_length("columns"::text), 0),
  -- A dropdown matrix has its options in its columns.
  "cells" = CASE "type"
    WHEN 12 THEN jsonb_array_length("rows") * jsonb_array_length("columns")
    WHEN 13 THEN jsonb_array_length("rows") * (
      SELECT coalesce(sum(jsonb_array_length(coalesce(c.value -> 'options', '[]'))), 0)
      FROM jsonb_array_elements("columns") AS c (value)
    )
    ELSE 0
  END;
