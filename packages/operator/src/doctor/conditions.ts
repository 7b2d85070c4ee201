import { ahead, distinct, highest, lasting, lowest, onlyPrometheus, percentile99, share, spread } from "./measures.ts";
import type { Measure } from "./measures.ts";

/** A fault of a running installation. Alert rules are generated from it, and `canvass doctor` checks it. */
export type Condition = {
  name: string;
  measure: Measure;
  /** The condition holds beyond this limit. */
  limit: { over: number } | { under: number };
  unit: "seconds" | "share" | "count";
  /** Minutes after which Prometheus alerts. */
  minutes: number;
  /** `page`: users notice. `ticket`: they will. */
  severity: "page" | "ticket";
  /** One sentence; `{value}` and labels are filled in. */
  sentence: string;
  /** What to do first, in one sentence. */
  advice: string;
  /** `deploy/runbooks/<runbook>.md`. */
  runbook: string;
};

const service = ["service"];
const day = 86_400;

export const conditions = [
  {
    name: "CanvassProcessDown",
    measure: onlyPrometheus('min by (pod) (up{job=~".*canvass"})'),
    limit: { under: 1 },
    unit: "count",
    minutes: 2,
    severity: "page",
    sentence: "{pod} does not answer at its operations port.",
    advice: "Read the end of its log, and start it again.",
    runbook: "process-down",
  },
  {
    // For a service without any process, Prometheus has no target that could be down.
    name: "CanvassServiceMissing",
    measure: onlyPrometheus("(count(count by (service) (canvass_build_info)) or vector(0))"),
    limit: { under: 7 },
    unit: "count",
    minutes: 5,
    severity: "page",
    sentence: "Of the gateway and the six services only {value} have a process.",
    advice: "Look which is missing, and whether its Deployment was scaled to none or its pods are not scheduled.",
    runbook: "process-down",
  },
  {
    name: "CanvassRequestsFail",
    measure: share(
      "http_server_request_duration_seconds_count",
      { label: "http_response_status_code", matches: /5../ },
      "5m",
    ),
    limit: { over: 0.01 },
    unit: "share",
    minutes: 5,
    severity: "page",
    sentence: "{value} of the requests end with a server's error.",
    advice: "Find out by route and code which service fails.",
    runbook: "requests-fail",
  },
  {
    name: "CanvassRequestsSlow",
    measure: percentile99("http_server_request_duration_seconds", [], "10m"),
    limit: { over: 1 },
    unit: "seconds",
    minutes: 10,
    severity: "ticket",
    sentence: "One request of a hundred takes more than {value}.",
    advice: "Find the slow route, and the service behind it.",
    runbook: "requests-slow",
  },
  {
    name: "CanvassServiceDoesNotAnswer",
    measure: highest("canvass_rpc_circuit_state", ["target"]),
    limit: { over: 1 },
    unit: "count",
    minutes: 1,
    severity: "page",
    sentence: "{target} does not answer its callers; its routes are 503.",
    advice: "Look at its /readyz: mostly its database is away.",
    runbook: "service-does-not-answer",
  },
  {
    name: "CanvassEventsWait",
    measure: highest("canvass_outbox_oldest_seconds", service),
    limit: { over: 120 },
    unit: "seconds",
    minutes: 5,
    severity: "page",
    sentence: "The oldest event of {service} has waited for {value}.",
    advice: "Look whether its consumers run; events go by RPC when NATS is away.",
    runbook: "events-wait",
  },
  {
    name: "CanvassBusAway",
    measure: lowest("canvass_bus_connected", service),
    limit: { under: 1 },
    unit: "count",
    minutes: 5,
    severity: "ticket",
    sentence: "{service} is not connected to NATS; its events take the slow road.",
    advice: "Start NATS, or mend the way to it; no event is lost meanwhile.",
    runbook: "bus-away",
  },
  {
    name: "CanvassEventsLate",
    measure: highest("canvass_outbox_late_events", service),
    limit: { over: 0 },
    unit: "count",
    minutes: 15,
    severity: "ticket",
    sentence: "In the last ten minutes {value} events of {service} did not leave right after their commit.",
    advice:
      "A process that died explains it once; else restart the service, and report it: this is a defect of Canvass.",
    runbook: "events-late",
  },
  {
    name: "CanvassConsumersLag",
    measure: highest("canvass_consumer_messages_waiting", ["consumer"]),
    limit: { over: 1_000 },
    unit: "count",
    minutes: 10,
    severity: "ticket",
    sentence: "The consumer {consumer} is {value} messages behind.",
    advice: "Look at the processor and the database of its service, and add replicas.",
    runbook: "consumers-lag",
  },
  {
    name: "CanvassPoisonEvents",
    measure: highest("canvass_poison_messages", ["service", "consumer"]),
    limit: { over: 0 },
    unit: "count",
    minutes: 15,
    severity: "ticket",
    sentence: "{service} cannot store {value} events ({consumer}); it tries them again.",
    advice: "Read why in its log, and mend that; they are then stored by themselves.",
    runbook: "poison-events",
  },
  {
    name: "CanvassDeliveriesWait",
    measure: highest("canvass_delivery_due_oldest_seconds", []),
    limit: { over: 300 },
    unit: "seconds",
    minutes: 5,
    severity: "page",
    sentence: "A webhook that is due has waited for {value}.",
    advice: "Add replicas of delivery, unless webhook or a database is away.",
    runbook: "deliveries-wait",
  },
  {
    name: "CanvassDeliveriesFail",
    measure: share("canvass_delivery_attempts_total", { label: "outcome", matches: /success/, not: true }, "30m"),
    limit: { over: 0.9 },
    unit: "share",
    minutes: 30,
    severity: "ticket",
    sentence: "{value} of the attempts to deliver a webhook fail.",
    advice: "When receivers of many workspaces fail, look at the way out: proxy, firewall, DNS.",
    runbook: "deliveries-fail",
  },
  {
    name: "CanvassMailsWait",
    measure: highest("canvass_mail_waiting_oldest_seconds", []),
    limit: { over: 900 },
    unit: "seconds",
    minutes: 5,
    severity: "ticket",
    sentence: "The oldest mail has waited for {value}.",
    advice: "Look at the mail server of CANVASS_SMTP_URL.",
    runbook: "mails-wait",
  },
  {
    name: "CanvassJobsWait",
    measure: highest("canvass_jobs_waiting", ["kind"]),
    limit: { over: 100 },
    unit: "count",
    minutes: 30,
    severity: "ticket",
    sentence: "{value} jobs wait ({kind}).",
    advice: "Look whether their runs fail; else add replicas of the service.",
    runbook: "jobs-wait",
  },
  {
    name: "CanvassConnectionsWait",
    measure: lasting("db_client_connection_pending_requests", ["service", "db_client_connection_pool_name"]),
    limit: { over: 5 },
    unit: "count",
    minutes: 5,
    severity: "ticket",
    sentence: "{value} requests of {service} wait for a connection to the database.",
    advice: "Find the slow statements in the database before you raise CANVASS_DATABASE_POOL.",
    runbook: "connections-wait",
  },
  {
    name: "CanvassEventLoopHeld",
    measure: percentile99("nodejs_eventloop_hold_seconds", service, "10m"),
    limit: { over: 0.05 },
    unit: "seconds",
    minutes: 10,
    severity: "ticket",
    sentence: "{service} holds its event loop for {value}.",
    advice: "Take a profile of the process: this is a defect of Canvass.",
    runbook: "event-loop",
  },
  {
    name: "CanvassEventLoopDelayed",
    measure: percentile99("nodejs_eventloop_delay_seconds", service, "10m"),
    limit: { over: 0.25 },
    unit: "seconds",
    minutes: 10,
    severity: "ticket",
    sentence: "{service} gets the processor {value} late.",
    advice: "Give it more processor, or add replicas.",
    runbook: "event-loop",
  },
  {
    name: "CanvassPurgesFail",
    measure: share("canvass_purge_rounds_total", { label: "outcome", matches: /failed/ }, "30m"),
    limit: { over: 0.1 },
    unit: "share",
    minutes: 30,
    severity: "ticket",
    sentence: "{value} of the rounds that delete old rows fail, so tables grow.",
    advice: "Read in the services' logs which rows could not be deleted.",
    runbook: "purges-fail",
  },
  {
    name: "CanvassRateLimitsApart",
    measure: lowest("canvass_rate_limits_shared", []),
    limit: { under: 1 },
    unit: "count",
    minutes: 10,
    severity: "ticket",
    sentence: "A gateway counts calls by itself, because the database of rate limits is away.",
    advice: "Bring back the database of CANVASS_RATE_LIMIT_DATABASE_URL.",
    runbook: "rate-limits-apart",
  },
  {
    name: "CanvassClocksApart",
    measure: spread("canvass_clock_timestamp_seconds"),
    limit: { over: 2 },
    unit: "seconds",
    minutes: 5,
    severity: "ticket",
    sentence: "The clocks of the processes differ by {value}.",
    advice: "Look at the time synchronisation of their machines.",
    runbook: "clocks-apart",
  },
  {
    name: "CanvassVersionsApart",
    measure: distinct("canvass_build_info", "version"),
    limit: { over: 1 },
    unit: "count",
    minutes: 60,
    severity: "ticket",
    sentence: "Processes of {value} versions run.",
    advice: "Complete the upgrade, or roll it back.",
    runbook: "versions-apart",
  },
  {
    name: "CanvassCertificateEnds",
    measure: ahead("canvass_certificate_expiry_timestamp_seconds", ["service", "certificate"]),
    limit: { under: 14 * day },
    unit: "seconds",
    minutes: 60,
    severity: "ticket",
    sentence: "A TLS certificate that {service} relies on ({certificate}) ends in {value}.",
    advice: "Renew it in time, and restart the process, or it can no longer speak with the others.",
    runbook: "certificate-ends",
  },
] as const satisfies readonly Condition[];

export type ConditionName = (typeof conditions)[number]["name"];

export const conditionNamed = (wanted: ConditionName): Condition => conditions.find(({ name }) => name === wanted)!;
