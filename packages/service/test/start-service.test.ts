import { Health, HealthCheckResponse_ServingStatus as Status } from "@canvass/proto/health";
import { callOptions } from "@canvass/rpc";
import { createLogger } from "@canvass/telemetry";
import { createTestDatabase, waitFor } from "@canvass/testing";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startService } from "../src/index.ts";
import { codeOf, completion, refusal, signedPerson, testEnvironment } from "../test-kit/index.ts";
import { noteDefinition, readNoteConfig, startNotes } from "./note-service.ts";

const probe = async (service: { opsUrl: string }, path: string) => {
  const answer = await fetch(`${service.opsUrl}${path}`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const log = createLogger({ service: "test", level: "silent" });

const asPerson = () => callOptions({ signedCaller: signedPerson() });

test("with its database a service is alive, ready and healthy, also while the bus is away", async () => {
  await using service = await startNotes();
  expect(await probe(service, "/livez")).toEqual({ status: 200, body: { status: "ok" } });
  expect(await probe(service, "/readyz")).toEqual({ status: 200, body: { status: "ok", checks: { database: true } } });
  expect((await service.client(Health, {}).check({})).status).toBe(Status.SERVING);
});

test("without its database a service starts, is not ready, and refuses calls", async () => {
  const { DATABASE_URL } = testEnvironment();
  await using service = await startNotes({}, { databaseUrl: DATABASE_URL! });
  expect((await probe(service, "/livez")).status).toBe(200);
  expect(await probe(service, "/readyz")).toMatchObject({ status: 503, body: { checks: { database: false } } });
  expect(await codeOf(service.notes.createSurvey({ bodyJson: "a" }, asPerson()))).toBe("service_unavailable");
});

test("a wrong environment names every variable at fault, and no value", () => {
  const wrong = {
    ...testEnvironment(),
    DATABASE_URL: "",
    CANVASS_RPC_PORT: "many",
    CANVASS_PEER_KEY: "short-secret",
    CANVASS_DATABASE_POOL: "3",
    CANVASS_CURSOR_KEY: "",
  };
  const names = /CANVASS_PEER_KEY.*CANVASS_RPC_PORT.*DATABASE_URL.*CANVASS_DATABASE_POOL.*CANVASS_CURSOR_KEY/;
  expect(() => readNoteConfig(wrong)).toThrow(names);
  expect(() => readNoteConfig(wrong)).not.toThrow(/short-secret|many/);
});

test("a consumer without an address stops the start", async () => {
  const config = { ...readNoteConfig(testEnvironment()), CANVASS_TOKEN_URL: undefined };
  const started = startService(noteDefinition(config, { log }));
  await expect(started).rejects.toThrow("the service survey has no address of token");
});

test("a start that fails closes what it had opened, the last first", async () => {
  const closed: string[] = [];
  const config = readNoteConfig(testEnvironment());
  const started = startService({
    ...noteDefinition(config, { log }),
    createContext: (shell) => {
      for (const name of ["first", "second"]) shell.use({ [Symbol.dispose]: () => void closed.push(name) });
      throw new Error("no context");
    },
  });
  await expect(started).rejects.toThrow("no context");
  expect(closed).toEqual(["second", "first"]);
});

test("a service that finds itself unfit does not start, and closes what it had opened", async () => {
  const closed: string[] = [];
  const started = startService({
    ...noteDefinition(readNoteConfig(testEnvironment()), { log }),
    begin: async ({ use }) => {
      use({ [Symbol.dispose]: () => void closed.push("part") });
      throw new Error("unfit");
    },
  });
  await expect(started).rejects.toThrow("unfit");
  expect(closed).toEqual(["part"]);
});

test("a service stops in order: no new calls, calls under way end, its own parts close, the database last", async () => {
  await using database = await createTestDatabase(join(import.meta.dirname, "fixture/prisma/migrations"));
  const order: string[] = [];
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const service = await startNotes(
    {
      createContext: (shell) => {
        const close = async () => {
          order.push("part closes");
          // Writes are still possible.
          await shell.database.sql.query("INSERT INTO notes VALUES ('w', 'last words', now())");
          order.push("part closed");
        };
        shell.use({ [Symbol.asyncDispose]: close });
        const write: typeof shell.write = async (work) => {
          begun.resolve();
          await release.promise;
          const result = await shell.write(work);
          order.push("call ended");
          return result;
        };
        return { ...shell, write };
      },
    },
    { databaseUrl: database.url, now: () => new Date() },
  );
  const call = service.notes.createSurvey({ bodyJson: "under way" }, asPerson());
  await begun.promise;
  const stopping = service.stop();
  await waitFor(async () => (await probe(service, "/readyz")).body.status === "draining", { describe: "draining" });
  release.resolve();
  await Promise.all([call, stopping]);
  expect(order).toEqual(["call ended", "part closes", "part closed"]);
  expect(await service.sql("SELECT note_id FROM notes ORDER BY note_id")).toEqual([
    { note_id: "last words" },
    { note_id: "under way" },
  ]);
  expect(await codeOf(service.notes.createSurvey({ bodyJson: "too late" }, asPerson()))).toBe("service_unavailable");
  const connected = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'canvass-survey' AND datname = $1";
  const name = new URL(database.url).pathname.slice(1);
  await waitFor(async () => (await service.sql(connected, [name])).length === 0, { describe: "closed connections" });
  await service[Symbol.asyncDispose]();
});

test("for the drain delay a stopping service is not ready and still serves", async () => {
  await using service = await startNotes({}, { environment: { CANVASS_DRAIN_DELAY_MS: "10000" } });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const stopping = service.stop();
    // No pause between polls, because it would advance the fake clock.
    await expect.poll(async () => (await probe(service, "/readyz")).body.status, { interval: 0 }).toBe("draining");
    await vi.advanceTimersByTimeAsync(9_000);
    await service.notes.createSurvey({ bodyJson: "late" }, asPerson());
    expect(await service.sql("SELECT note_id FROM notes")).toEqual([{ note_id: "late" }]);
    await vi.advanceTimersByTimeAsync(1_000);
    await stopping;
  } finally {
    vi.useRealTimers();
  }
  expect(await codeOf(service.notes.createSurvey({ bodyJson: "too late" }, asPerson()))).toBe("service_unavailable");
});

test("events handed over reach the consumer with the service's context; unknown consumers are refused", async () => {
  const consumed: string[] = [];
  await using service = await startNotes({
    consumers: {
      "response-counts": async ({ now }, events) => {
        consumed.push(...events.map(({ eventId }) => `${eventId} ${now().toISOString()}`));
      },
    },
  });
  const event = completion("w", service.clock.now());
  expect(await service.handOver([event], "response-counts")).toEqual([event.eventId]);
  expect(consumed).toEqual([`${event.eventId} 2026-03-01T12:00:00.000Z`]);
  expect(await refusal(service.handOver([event], "feed"))).toMatchObject({ code: "invalid_request" });
});
