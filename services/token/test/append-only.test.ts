import { migrate } from "@canvass/postgres/migrate";
import { ensureServiceDatabase } from "@canvass/provisioning";
import { testPostgresUrl } from "@canvass/testing";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { expect, test } from "vitest";
import { firstActions, startTokenSystem } from "./token-system.ts";

const migrationsDir = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

test("the role the service runs as can read the audit log and append to it, and nothing else", async () => {
  const name = `canvass_token_${process.pid}`;
  const database = { name, role: name, password: "x" };
  const { url, migrationUrl } = await ensureServiceDatabase(await testPostgresUrl(), database);
  await migrate({ url: migrationUrl, migrationsDir });
  await using system = await startTokenSystem({ databaseUrl: url });
  // The service runs with this role.
  const home = await system.createWorkspace();
  const { token } = await system.createToken(home.tokenValue);
  const options = await system.as(home.tokenValue);
  await system.peer.rotateToken({ tokenId: token!.tokenId }, options);
  await system.peer.recordTokenUses({ uses: [{ tokenId: home.tokenId }] });
  expect((await system.audit.listAuditLog({}, options)).page!.entries).toHaveLength(firstActions.length + 3);

  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // PostgreSQL only warns that this grants nothing.
    await client.query(`GRANT ALL ON audit_entries TO ${name}`);
    for (const statement of [
      "UPDATE audit_entries SET action = 'x'",
      "UPDATE audit_entries SET action = 'x' WHERE false",
      "DELETE FROM audit_entries",
      "TRUNCATE audit_entries",
      "DROP TABLE audit_entries",
      "ALTER TABLE audit_entries DISABLE TRIGGER ALL",
      "ALTER TABLE audit_entries RENAME TO forgotten",
      "DROP TRIGGER audit_entries_append_only ON audit_entries",
      "CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'",
      `SET ROLE ${name}_owner`,
      "SET session_replication_role = replica",
      "INSERT INTO audit_entries SELECT * FROM audit_entries ON CONFLICT (workspace_id, entry_id) DO UPDATE SET action = 'x'",
      "MERGE INTO audit_entries a USING audit_entries b ON a.entry_id = b.entry_id WHEN MATCHED THEN DELETE",
    ]) {
      await expect(client.query(statement)).rejects.toThrow(/permission denied|must be (able|owner)/);
    }
    const { rows } = await client.query("SELECT count(*)::int AS n FROM audit_entries WHERE action <> 'x'");
    expect(rows).toEqual([{ n: firstActions.length + 3 }]);
  } finally {
    await client.end();
  }
});
