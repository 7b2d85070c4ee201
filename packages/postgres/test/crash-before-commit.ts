// Started by idempotency.test.ts and killed by it: does the work and records the answer, but never commits.
import { Pool } from "pg";
import { inTransaction, runIdempotently } from "../src/index.ts";

const [url = "", key = ""] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, application_name: "crash-before-commit" });
await inTransaction(pool, async (sql) => {
  const idempotencyKey = {
    workspaceId: "w",
    scope: "s",
    key,
    bodySha256: new Uint8Array(32),
    bodyMac: new Uint8Array(32),
  };
  await runIdempotently(sql, { key: idempotencyKey, requestId: "crashed", now: new Date() }, async () => {
    await sql.query("INSERT INTO tallies (workspace_id, tally_id, count, at, data) VALUES ('w', $1, 1, now(), '')", [
      key,
    ]);
    return new Uint8Array([1]);
  });
  process.stdout.write("everything but the commit\n");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
