-- The audit log is read and appended to, nothing else: whoever was granted more on it, by default privileges for one,
-- loses it, the owner too. (An owner could grant it to itself again, so the service must not run as the owner.)
DO $$
DECLARE
    holder name;
BEGIN
    FOR holder IN
        SELECT DISTINCT pg_get_userbyid(acl.grantee)
        FROM pg_class, aclexplode(relacl) AS acl
        WHERE pg_class.oid = 'audit_entries'::regclass AND acl.grantee <> 0
    LOOP
        EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE, TRIGGER ON audit_entries FROM %I', holder);
    END LOOP;
END
$$;

REVOKE UPDATE, DELETE, TRUNCATE, TRIGGER ON audit_entries FROM PUBLIC, CURRENT_USER;
