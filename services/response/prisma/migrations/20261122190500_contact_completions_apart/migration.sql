-- CreateTable
CREATE TABLE "contact_completions" (
    "workspace_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "completed_at" TIMESTAMPTZ(3) NOT NULL,
    "respondent_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,

    CONSTRAINT "contact_completions_pkey" PRIMARY KEY ("workspace_id","contact_id","completed_at","respondent_id")
);

-- By triggers: whatever changes respondents, also processes of the version before, keeps it right.
CREATE FUNCTION "keep_contact_completion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM "contact_completions" WHERE ("workspace_id", "contact_id", "completed_at", "respondent_id")
      = (OLD."workspace_id", OLD."contact_id", OLD."completed_at", OLD."respondent_id");
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO "contact_completions" ("workspace_id", "contact_id", "completed_at", "respondent_id", "survey_id")
    SELECT NEW."workspace_id", NEW."contact_id", NEW."completed_at", NEW."respondent_id", NEW."survey_id"
    WHERE NEW."contact_id" <> '' AND NOT NEW."is_test" AND NEW."completed_at" IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "respondents_contact_completed" AFTER INSERT ON "respondents" FOR EACH ROW
WHEN (NEW."contact_id" <> '' AND NEW."completed_at" IS NOT NULL) EXECUTE FUNCTION "keep_contact_completion"();

CREATE TRIGGER "respondents_contact_changed" AFTER UPDATE OF "contact_id", "completed_at" ON "respondents" FOR EACH ROW
WHEN (OLD."contact_id" <> '' AND (OLD."contact_id", OLD."completed_at") IS DISTINCT FROM (NEW."contact_id", NEW."completed_at"))
EXECUTE FUNCTION "keep_contact_completion"();

CREATE TRIGGER "respondents_contact_gone" AFTER DELETE ON "respondents" FOR EACH ROW
WHEN (OLD."contact_id" <> '' AND OLD."completed_at" IS NOT NULL) EXECUTE FUNCTION "keep_contact_completion"();

INSERT INTO "contact_completions" ("workspace_id", "contact_id", "completed_at", "respondent_id", "survey_id")
SELECT "workspace_id", "contact_id", "completed_at", "respondent_id", "survey_id" FROM "respondents"
WHERE "contact_id" <> '' AND NOT "is_test" AND "completed_at" IS NOT NULL;

-- An index that holds the time of completion, even one with few rows, makes every completion write anew into all indexes.
DROP INDEX "respondents_contact_completions_idx";

-- Room for a batch that saves most respondents of a page at once.
ALTER TABLE "respondents" SET (fillfactor = 55);
