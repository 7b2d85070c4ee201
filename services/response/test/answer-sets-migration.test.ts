import { migrate } from "@canvass/postgres/migrate";
import { createTestDatabase } from "@canvass/testing";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { expect, test } from "vitest";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

test("answers kept one by one are carried over into sets and counted numbers", async () => {
  await using cleanUp = new AsyncDisposableStack();
  const former = await mkdtemp(join(tmpdir(), "canvass-migrations-"));
  cleanUp.defer(() => rm(former, { recursive: true }));
  for (const entry of ["20261120191008_initial", "migration_lock.toml"]) {
    await cp(join(migrations, entry), join(former, entry), { recursive: true });
  }
  const database = cleanUp.use(await createTestDatabase(former));
  const pool = new Pool({ connectionString: database.url, max: 1 });
  cleanUp.defer(() => pool.end());

  await pool.query(`
    INSERT INTO answers (workspace_id, survey_id, respondent_id, answer_key, answer_id, element_id, question_id, type,
      value, meta, number_value, version_number, is_test, submitted_at)
    VALUES
      ('w1', 's1', 'r1', 'e1', 'a1', 'e1', 'q1', 8, '4', '{"took": 3}', NULL, 1, false, '2026-11-20T10:00:00.123Z'),
      ('w1', 's1', 'r1', 'e2', 'a2', 'e2', 'q2', 3, '7.5', NULL, 7.5, 1, false, '2026-11-20T10:00:00.123Z'),
      ('w1', 's1', 'r1', 'e3:i1', 'a3', 'e3', 'q3', 1, '"text"', 'null', NULL, 1, false, '2026-11-20T10:00:05Z'),
      ('w1', 's1', 'r2', 'e2', 'a4', 'e2', 'q2', 3, '7.5', NULL, 7.5, 1, false, '2026-11-20T11:00:00Z'),
      ('w1', 's1', 'r3', 'e2', 'a5', 'e2', 'q2', 3, '-1', NULL, -1, 1, true, '2026-11-20T11:00:00Z'),
      ('w2', 's2', 'r1', 'e9', 'a6', 'e9', 'q9', 4, '["c1", "c2"]', NULL, NULL, 2, false, '2026-11-20T10:00:00.123Z')`);
  await migrate({ url: database.url, migrationsDir: migrations });

  const { rows: sets } = await pool.query(
    `SELECT workspace_id || ' ' || survey_id || ' ' || respondent_id AS who, submitted_at, answers, metas
     FROM answer_sets ORDER BY who, submitted_at`,
  );
  expect(sets).toEqual([
    {
      who: "w1 s1 r1",
      submitted_at: new Date("2026-11-20T10:00:00.123Z"),
      answers: { e1: 4, e2: 7.5 },
      metas: { e1: { took: 3 } },
    },
    { who: "w1 s1 r1", submitted_at: new Date("2026-11-20T10:00:05Z"), answers: { "e3:i1": "text" }, metas: null },
    { who: "w1 s1 r2", submitted_at: new Date("2026-11-20T11:00:00Z"), answers: { e2: 7.5 }, metas: null },
    { who: "w1 s1 r3", submitted_at: new Date("2026-11-20T11:00:00Z"), answers: { e2: -1 }, metas: null },
    { who: "w2 s2 r1", submitted_at: new Date("2026-11-20T10:00:00.123Z"), answers: { e9: ["c1", "c2"] }, metas: null },
  ]);
  const { rows: numbers } = await pool.query(
    "SELECT workspace_id, survey_id, question_id, number, count::int FROM number_counters",
  );
  expect(numbers).toEqual([{ workspace_id: "w1", survey_id: "s1", question_id: "q2", number: 7.5, count: 2 }]);
});
