import { callOptions } from "@canvass/rpc";
import { testNats, waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { signedPerson } from "../test-kit/index.ts";
import { startNotes } from "./note-service.ts";

test("a service shows its version and clock, its database, the bus, its consumers, its outbox and its purges", async () => {
  await using nats = await testNats();
  await using service = await startNotes({}, { natsUrl: nats.url });
  const read = async () => (await (await fetch(`${service.opsUrl}/metrics`)).text()).replaceAll('service="survey"', "");
  await waitFor(async () => /^canvass_bus_connected{} 1$/m.test(await read()), { describe: "the bus" });
  await service.notes.createSurvey({ bodyJson: "a" }, callOptions({ signedCaller: signedPerson() }));
  service.clock.advance(2_000);
  await waitFor(async () => /^canvass_purged_rows_total{rows="notes",} 1$/m.test(await read()), {
    describe: "a purge",
  });
  const metrics = await read();
  expect(metrics).toContain('canvass_build_info{version="1.2.3",} 1');
  expect(metrics).toContain(`canvass_clock_timestamp_seconds{} ${service.clock.now().getTime() / 1_000}`);
  expect(metrics).toContain('db_client_connection_max{db_client_connection_pool_name="hot",}');
  expect(metrics).toMatch(/^db_client_connection_count{.*_pool_name="main",db_client_connection_state="used",} \d+$/m);
  expect(metrics).toContain('db_client_connection_pending_requests{db_client_connection_pool_name="main",} 0');
  expect(Number(/^canvass_database_size_bytes{} (\d+)$/m.exec(metrics)![1])).toBeGreaterThan(1_000_000);
  const lag = /^canvass_consumer_messages_waiting{consumer="response-counts",event_type="response.completed",} \d+$/m;
  await waitFor(async () => lag.test(await read()), { describe: "the consumer's lag" });
  expect(metrics).toMatch(/^canvass_outbox_events{} \d+$/m);
  expect(metrics).toMatch(/^canvass_purge_rounds_total{outcome="succeeded",} \d+$/m);
});
