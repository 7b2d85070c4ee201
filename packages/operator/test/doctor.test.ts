import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { conditions } from "../src/doctor/conditions.ts";
import { runCanvass } from "../src/run-canvass.ts";

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Metrics by reading, the last for all further ones. */
type Fake = { metrics?: string[]; readiness?: { status: string; checks?: Record<string, boolean> } };

/** An operations port. Returns its address. */
async function serve({ metrics = [], readiness = { status: "ok" } }: Fake = {}): Promise<string> {
  const texts = [...metrics];
  return listen((path) => {
    if (path === "/readyz") return { status: readiness.status === "ok" ? 200 : 503, body: JSON.stringify(readiness) };
    const text = texts.length > 1 ? texts.shift()! : (texts[0] ?? "");
    return { status: 200, body: `canvass_build_info{version="1.2.3",service="x"} 1\n${text}\n` };
  });
}

async function listen(answer: (path: string) => { status: number; body: string } | undefined): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const given = answer(url);
    if (given) response.writeHead(given.status).end(given.body);
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function doctor(addresses: Record<string, string>, ...more: string[]) {
  const run = { code: 0, out: "", err: "" };
  const output = { out: (text: string) => (run.out += text), err: (text: string) => (run.err += text) };
  const ops = Object.entries(addresses).map(([name, url]) => `${name}=${url}`);
  run.code = await runCanvass(["doctor", "--ops", ops.join(","), "--seconds", "0", ...more], {}, output);
  return run;
}

test("an installation that is well is said to be so, and the exit code is 0", async () => {
  const addresses = { gateway: await serve(), survey: await serve() };
  expect(await doctor(addresses)).toEqual({
    code: 0,
    err: "",
    out: "Everything is well (2 processes, version 1.2.3).\n",
  });
});

test("for a process without metrics only the readiness is checked", async () => {
  const off = ({ ready = true }) =>
    listen((path) =>
      path === "/readyz"
        ? { status: ready ? 200 : 503, body: `{"status":"${ready ? "ok" : "unavailable"}"}` }
        : { status: 404, body: '{"status":"off"}' },
    );
  const well = await doctor({ gateway: await serve(), survey: await off({}) });
  expect([well.code, well.out]).toEqual([
    0,
    "Everything is well (2 processes, version 1.2.3, without metrics, so only asked whether they are ready: survey).\n",
  ]);
  const { code, out } = await doctor({ survey: await off({ ready: false }) });
  expect([code, out]).toEqual([1, expect.stringContaining("survey is not ready.")]);
});

const now = () => Date.now() / 1_000;
const buckets = (metric: string, counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([le, count]) => `${metric}_bucket{le="${le}",service="survey"} ${count}`)
    .join("\n");
const requests = (fine: number, failed: number) =>
  `http_server_request_duration_seconds_count{http_response_status_code="200"} ${fine}
http_server_request_duration_seconds_count{http_response_status_code="503"} ${failed}`;
const oldest = (seconds: number) => `canvass_outbox_oldest_seconds{service="response"} ${seconds}`;
const expiry = "canvass_certificate_expiry_timestamp_seconds";
const pending = (count: number) =>
  `db_client_connection_pending_requests{db_client_connection_pool_name="main",service="survey"} ${count}`;

test.each<[condition: string, readings: string[], sentence: string | undefined]>([
  ["CanvassEventsWait", [oldest(121)], "The oldest event of response has waited for 2 min."],
  ["CanvassEventsWait", [oldest(120)], undefined],
  ["CanvassBusAway", ['canvass_bus_connected{service="token"} 0'], "token is not connected to NATS"],
  [
    "CanvassEventsLate",
    ['canvass_outbox_late_events{service="token"} 3'],
    "3 events of token did not leave right after their commit",
  ],
  ["CanvassEventsLate", ['canvass_outbox_late_events{service="token"} 0'], undefined],
  [
    "CanvassPoisonEvents",
    ['canvass_poison_messages{consumer="feed",service="webhook"} 2'],
    "webhook cannot store 2 events (feed)",
  ],
  ["CanvassConsumersLag", ['canvass_consumer_messages_waiting{consumer="feed"} 1001'], "feed is 1001 messages behind"],
  ["CanvassDeliveriesWait", ['canvass_delivery_due_oldest_seconds{service="delivery"} 7200'], "has waited for 2 h."],
  ["CanvassMailsWait", ['canvass_mail_waiting_oldest_seconds{service="token"} 200000'], "has waited for 2.3 d."],
  [
    "CanvassServiceDoesNotAnswer",
    ['canvass_rpc_circuit_state{target="survey"} 2'],
    "survey does not answer its callers",
  ],
  ["CanvassServiceDoesNotAnswer", ['canvass_rpc_circuit_state{target="survey"} 1'], undefined],
  ["CanvassConnectionsWait", [pending(9), pending(7)], "7 requests of survey wait for a connection"],
  ["CanvassConnectionsWait", [pending(0), pending(7)], undefined],
  ["CanvassRequestsFail", [requests(100, 50), requests(190, 60)], "10 % of the requests end with"],
  ["CanvassRequestsFail", [requests(100, 50), requests(105, 55)], undefined],
  [
    "CanvassEventLoopHeld",
    [
      buckets("nodejs_eventloop_hold_seconds", { 0.05: 9, 0.1: 9, "+Inf": 9 }),
      buckets("nodejs_eventloop_hold_seconds", { 0.05: 60, 0.1: 109, "+Inf": 109 }),
    ],
    "survey blocks its event loop for 100 ms.",
  ],
  ["CanvassEventLoopHeld", [buckets("nodejs_eventloop_hold_seconds", { 0.05: 0, 0.1: 109, "+Inf": 109 })], undefined],
  [
    "CanvassCertificateEnds",
    [
      `${expiry}{certificate="own",service="token"} ${now() + 30 * 86_400}
${expiry}{certificate="chain",service="token"} ${now() + 3 * 86_400}`,
    ],
    "A TLS certificate that token relies on (chain) ends in 3 d.",
  ],
  [
    "CanvassCertificateEnds",
    [`${expiry}{certificate="nats",service="token"} ${now() - 3 * 86_400}`],
    "A TLS certificate that token relies on (nats) ends in -3 d.",
  ],
  ["CanvassCertificateEnds", [`${expiry}{certificate="nats",service="token"} ${now() + 30 * 86_400}`], undefined],
  ["CanvassRateLimitsApart", ['canvass_rate_limits_shared{service="gateway"} 0'], "A gateway counts calls by itself"],
  ["CanvassJobsWait", ['canvass_jobs_waiting{kind="export"} 101'], "101 jobs wait (export)."],
])("%s: the finding from %j is %s", async (name, metrics, sentence) => {
  const { code, out } = await doctor({ survey: await serve({ metrics }) });
  if (sentence === undefined) {
    expect([code, out]).toEqual([0, expect.stringContaining("Everything is well")]);
    return;
  }
  const { advice, runbook } = conditions.find((condition) => condition.name === name)!;
  expect(code).toBe(1);
  expect(out).toContain(sentence);
  expect(out).toContain(`${advice} (deploy/runbooks/${runbook}.md)`);
  expect(out).toMatch(/^1 finding \(1 process, version 1\.2\.3\)\.$/m);
});

test("clocks and versions are compared with each other", async () => {
  const at = Math.floor(now());
  const clock = (offset: number) => `canvass_clock_timestamp_seconds{service="x"} ${at + offset}`;
  const other = { metrics: [`${clock(300)}\ncanvass_build_info{version="1.3.0"} 1`] };
  const { out } = await doctor({ token: await serve({ metrics: [clock(0)] }), survey: await serve(other) });
  expect(out).toContain("The clocks of the processes differ by 5 min");
  expect(out).toContain("Processes of 2 versions run.");
});

test("a process that is gone, stopping, without its database or foreign is reported, worst first", async () => {
  const gone = await serve();
  open.pop()!.close();
  const addresses = {
    token: await serve({ metrics: ['canvass_bus_connected{service="token"} 0'] }),
    survey: gone,
    response: await serve({ readiness: { status: "unavailable", checks: { database: false } } }),
    webhook: await serve({ readiness: { status: "draining" } }),
    delivery: await listen(() => ({ status: 200, body: "<html>" })),
  };
  const { code, out } = await doctor(addresses);
  expect(code).toBe(1);
  expect(out.split("\n").map((line) => line.split(":")[0])).toEqual([
    "✖ survey does not run, or nobody answers at its operations port. Read the end of its log, and start it again. (deploy/runbooks/process-down.md)",
    "✖ response is not ready",
    expect.stringContaining("✖ webhook is stopping."),
    expect.stringContaining("✖ What answers for delivery is no process of Canvass."),
    expect.stringContaining("! token is not connected to NATS"),
    "",
    "5 findings (5 processes, version 1.2.3).",
    "",
  ]);
});

test("--json has processes and findings", async () => {
  const { code, out } = await doctor({ survey: await serve({ metrics: [oldest(300)] }) }, "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual({
    processes: [{ name: "survey", version: "1.2.3", state: "ready", measures: true }],
    findings: [
      {
        condition: "CanvassEventsWait",
        severity: "page",
        sentence: "The oldest event of response has waited for 5 min.",
        advice: expect.any(String),
        runbook: "deploy/runbooks/events-wait.md",
      },
    ],
  });
});

test.each(["gateway", "gateway=ftp://x", "=http://127.0.0.1:1", ""])(
  "--ops %j is a wrong command line",
  async (ops) => {
    const run = { err: "" };
    const code = await runCanvass(["doctor", "--ops", ops], {}, { out: () => {}, err: (text) => (run.err += text) });
    expect([code, run.err]).toEqual([2, expect.stringContaining("but it is a list such as gateway=")]);
  },
);

const hostile = (metrics: string, readiness = '{"status":"ok"}') =>
  listen((path) => ({ status: 200, body: path === "/readyz" ? readiness : metrics }));

test("buckets without ends, values that are no numbers, and very many samples are no findings", async () => {
  const hold = "nodejs_eventloop_hold_seconds_bucket";
  const broken = [`${hold}{le="0.1"} 90`, `${hold} 40`, `${hold}{le="soon"} 1`, `${hold}{le="+Inf"} many`];
  const many = Array.from({ length: 130_000 }, () => "canvass_outbox_oldest_seconds 1");
  const one = await hostile([...broken, `canvass_rate_limits_shared{${"a".repeat(200_000)} 1`].join("\n"));
  const { code, out } = await doctor({ survey: one, token: await hostile(many.join("\n")) });
  expect([code, out]).toEqual([0, "Everything is well (2 processes).\n"]);
});

test.each([
  ["more than a process would show", "x".repeat(5_000_000), '{"status":"ok"}'],
  ["a state that is no text", "a 1", '{"status":{}}'],
  ["nothing of a state", "a 1", "null"],
])("what answers with %s is no process of Canvass", async (_, metrics, readiness) => {
  const { code, out } = await doctor({ survey: await hostile(metrics, readiness) });
  expect([code, out]).toEqual([1, expect.stringContaining("What answers for survey is no process of Canvass.")]);
});

test("a redirect of an operations port is not followed", async () => {
  const asked: string[] = [];
  const elsewhere = await listen((path) => void asked.push(path));
  const server = createServer((_, response) => response.writeHead(302, { location: elsewhere }).end());
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { out } = await doctor({ survey: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  expect(out).toContain("What answers for survey is no process of Canvass.");
  expect(asked).toEqual([]);
});

test("names are shown without the characters that control a terminal", async () => {
  const readiness = { status: "failed", checks: { "\u001b[2Jdatabase\nEverything is well": false } };
  const { out } = await doctor({ survey: await serve({ readiness }) });
  expect(out).toContain("no answer from its \uFFFD[2Jdatabase Everything is well. Bring back");
  expect(out).not.toContain("\u001b");
});
