-- What the schema language cannot say.

ALTER TABLE "memberships" ADD CONSTRAINT "memberships_custom_role_named"
    CHECK (("role" = 'custom') = ("custom_role_id" IS NOT NULL));

ALTER TABLE "people" ADD CONSTRAINT "people_email_lower_case" CHECK ("email" = lower("email"));

ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_sha256_length" CHECK (octet_length("token_sha256") = 32);

ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_some_scope" CHECK (cardinality("scopes") > 0);

-- The audit log is only ever appended to, whatever the code above it does.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit entries are never changed or removed';
END
$$;

CREATE TRIGGER "audit_entries_append_only" BEFORE UPDATE OR DELETE ON "audit_entries"
    FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();

CREATE TRIGGER "audit_entries_no_truncate" BEFORE TRUNCATE ON "audit_entries"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
