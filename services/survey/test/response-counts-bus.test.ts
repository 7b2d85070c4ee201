import { appendEvents, connectBus, startOutbox, type EventIntakes } from "@canvass/events";
import { inTransaction } from "@canvass/postgres";
import { completion } from "@canvass/service/testing";
import { createLogger, createMetrics } from "@canvass/telemetry";
import { createTestDatabase, testNats, waitFor } from "@canvass/testing";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { startSurveyFixture } from "./survey-fixture.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));
const log = createLogger({ service: "test", level: "silent" });

const completed = (surveyId: string) => completion("workspace0000001", new Date(), surveyId);

test("completions published on the bus are counted, including those that happen while the service is down", async () => {
  await using nats = await testNats();
  await using database = await createTestDatabase(migrations);
  // Stands for the response service: it has an outbox of its own, and no other consumers.
  await using source = await createTestDatabase(migrations);
  await using stack = new AsyncDisposableStack();
  const pool = stack.adopt(new Pool({ connectionString: source.url }), (open) => open.end());
  const bus = stack.use(connectBus({ url: nats.url, name: "source", log }));
  const silent = { handOverEvents: async () => ({ storedEventIds: [] }) };
  const services = ["webhook", "delivery", "survey", "distribution", "token"];
  const intakes = Object.fromEntries(services.map((name) => [name, silent])) as unknown as EventIntakes;
  const metrics = createMetrics("test");
  const outbox = stack.use(
    startOutbox({
      source: "response",
      pool,
      bus,
      intakes,
      log,
      metrics,
      now: () => new Date(),
      unconfirmedAfterMs: 600_000,
    }),
  );
  const complete = async (surveyId: string, count: number): Promise<void> => {
    await inTransaction(pool, (sql) =>
      appendEvents(
        sql,
        Array.from({ length: count }, () => completed(surveyId)),
      ),
    );
    outbox.nudge();
  };

  const options = { databaseUrl: database.url, natsUrl: nats.url };
  const first = await startSurveyFixture(options);
  const { surveyId } = await first.create({ name: "bus" });
  await complete(surveyId, 30);
  await waitFor(async () => (await first.read(surveyId)).responseCount === 30n, { describe: "30 to be counted" });
  await first[Symbol.asyncDispose]();
  await complete(surveyId, 20);
  await using second = await startSurveyFixture(options);
  await waitFor(async () => (await second.read(surveyId)).responseCount === 50n, { describe: "50 to be counted" });
  const awaited = "SELECT 1 FROM outbox_events WHERE 'response-counts' = ANY(awaiting)";
  await waitFor(async () => (await pool.query(awaited)).rowCount === 0, { describe: "the source to be told" });
  expect((await second.read(surveyId)).responseCount).toBe(50n);
});
