/** A graph. Each line is PromQL with its legend. */
type Graph = { title: string; unit: string; lines: readonly [expr: string, legend: string][] };

const p = (rank: number, metric: string, by: string) =>
  `histogram_quantile(${rank}, sum by (${by}le) (rate(${metric}_bucket[$__rate_interval])))`;
const rate = (metric: string, by: string) => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;
const http = "http_server_request_duration_seconds";
const server = "rpc_server_call_duration_seconds";
const client = "rpc_client_call_duration_seconds";

/** Rows of the dashboard, most watched first. */
export const rows: readonly { title: string; graphs: readonly Graph[] }[] = [
  {
    title: "Requests",
    graphs: [
      {
        title: "Requests by status",
        unit: "reqps",
        lines: [[rate(`${http}_count`, "http_response_status_code"), "{{http_response_status_code}}"]],
      },
      { title: "Latency", unit: "s", lines: [0.5, 0.95, 0.99].map((rank) => [p(rank, http, ""), `p${rank * 100}`]) },
      {
        title: "Slowest routes (p99)",
        unit: "s",
        lines: [
          [`topk(8, ${p(0.99, http, "http_request_method, http_route, ")})`, "{{http_request_method}} {{http_route}}"],
        ],
      },
      {
        title: "Refused beyond a rate limit",
        unit: "reqps",
        lines: [[rate("canvass_rate_limited_requests_total", "limit"), "{{limit}}"]],
      },
      {
        title: "Completed responses",
        unit: "ops",
        lines: [["sum(rate(canvass_responses_completed_total[$__rate_interval]))", "completed"]],
      },
    ],
  },
  {
    title: "Calls between processes",
    graphs: [
      {
        title: "Calls that end with an error",
        unit: "ops",
        lines: [
          [
            `sum by (service, rpc_response_status_code) (rate(${server}_count{rpc_response_status_code!="OK"}[$__rate_interval]))`,
            "{{service}} {{rpc_response_status_code}}",
          ],
        ],
      },
      {
        title: "Slowest methods (p99)",
        unit: "s",
        lines: [[`topk(8, ${p(0.99, server, "rpc_method, ")})`, "{{rpc_method}}"]],
      },
      {
        title: "The same, as their callers wait",
        unit: "s",
        lines: [[`topk(8, ${p(0.99, client, "service, rpc_method, ")})`, "{{service}}: {{rpc_method}}"]],
      },
      {
        title: "Items of a batch (mean)",
        unit: "short",
        lines: [
          [
            `${rate("canvass_rpc_batch_items_sum", "rpc_method")} / ${rate("canvass_rpc_batch_items_count", "rpc_method")}`,
            "{{rpc_method}}",
          ],
        ],
      },
      {
        title: "Calls that wait for a permit",
        unit: "short",
        lines: [["max by (service) (rpc_server_calls_waiting)", "{{service}}"]],
      },
      {
        title: "Targets that do not answer (2)",
        unit: "short",
        lines: [["max by (target) (canvass_rpc_circuit_state)", "{{target}}"]],
      },
    ],
  },
  {
    title: "Events",
    graphs: [
      {
        title: "Oldest event in an outbox",
        unit: "s",
        lines: [["max by (service) (canvass_outbox_oldest_seconds)", "{{service}}"]],
      },
      {
        title: "Events in an outbox",
        unit: "short",
        lines: [["max by (service) (canvass_outbox_events)", "{{service}}"]],
      },
      {
        title: "Events that left late",
        unit: "short",
        lines: [["max by (service) (canvass_outbox_late_events)", "{{service}}"]],
      },
      {
        title: "Messages that consumers have not stored",
        unit: "short",
        lines: [["max by (consumer) (canvass_consumer_messages_waiting)", "{{consumer}}"]],
      },
      {
        title: "Poison",
        unit: "short",
        lines: [["max by (service, consumer) (canvass_poison_messages)", "{{service}} {{consumer}}"]],
      },
      {
        title: "From an event to its place in the feed (p99)",
        unit: "s",
        lines: [[p(0.99, "canvass_feed_append_lag_seconds", ""), "p99"]],
      },
      {
        title: "Connected to NATS",
        unit: "short",
        lines: [["min by (service) (canvass_bus_connected)", "{{service}}"]],
      },
    ],
  },
  {
    title: "Webhooks, mails and jobs",
    graphs: [
      {
        title: "Attempts by outcome",
        unit: "ops",
        lines: [[rate("canvass_delivery_attempts_total", "outcome"), "{{outcome}}"]],
      },
      { title: "Oldest due delivery", unit: "s", lines: [["max(canvass_delivery_due_oldest_seconds)", "oldest"]] },
      {
        title: "Deliveries in hand",
        unit: "short",
        lines: [["sum by (state) (canvass_delivery_in_hand)", "{{state}}"]],
      },
      {
        title: "Mails",
        unit: "short",
        lines: [
          ["max by (state) (canvass_mails)", "{{state}}"],
          [rate("canvass_mail_attempts_total", "outcome"), "attempts: {{outcome}}"],
        ],
      },
      {
        title: "Jobs",
        unit: "short",
        lines: [
          ["max by (kind) (canvass_jobs_waiting)", "waiting: {{kind}}"],
          ["sum by (kind) (canvass_jobs_running)", "running: {{kind}}"],
        ],
      },
      {
        title: "Runs of jobs by outcome",
        unit: "ops",
        lines: [[rate("canvass_job_runs_total", "kind, outcome"), "{{kind}} {{outcome}}"]],
      },
    ],
  },
  {
    title: "Databases and processes",
    graphs: [
      {
        title: "Connections in use",
        unit: "percentunit",
        lines: [
          [
            'sum by (service, db_client_connection_pool_name) (db_client_connection_count{db_client_connection_state="used"}) / sum by (service, db_client_connection_pool_name) (db_client_connection_max)',
            "{{service}} {{db_client_connection_pool_name}}",
          ],
        ],
      },
      {
        title: "Requests that wait for a connection",
        unit: "short",
        lines: [["max by (service) (db_client_connection_pending_requests)", "{{service}}"]],
      },
      {
        title: "Size of the databases",
        unit: "bytes",
        lines: [["max by (service) (canvass_database_size_bytes)", "{{service}}"]],
      },
      {
        title: "Rows deleted past their retention",
        unit: "ops",
        lines: [[rate("canvass_purged_rows_total", "service, rows"), "{{service}}: {{rows}}"]],
      },
      {
        title: "Delay of the event loop (p99)",
        unit: "s",
        lines: [[p(0.99, "nodejs_eventloop_delay_seconds", "service, "), "{{service}}"]],
      },
      {
        title: "Versions",
        unit: "short",
        lines: [["count by (service, version) (canvass_build_info)", "{{service}} {{version}}"]],
      },
    ],
  },
];

const columns = 3;
const size = { w: 24 / columns, h: 7 };

/** The dashboard in Grafana's import format. */
export function dashboardJson(): string {
  const panels: object[] = [];
  let y = 0;
  for (const { title, graphs } of rows) {
    panels.push({
      id: panels.length + 1,
      type: "row",
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: 24, h: 1 },
      panels: [],
    });
    graphs.forEach((graph, index) => {
      const gridPos = { x: (index % columns) * size.w, y: y + 1 + Math.floor(index / columns) * size.h, ...size };
      panels.push(panelOf(graph, panels.length + 1, gridPos));
    });
    y += 1 + Math.ceil(graphs.length / columns) * size.h;
  }
  const dashboard = {
    uid: "canvass",
    title: "Canvass",
    tags: ["canvass"],
    schemaVersion: 39,
    refresh: "30s",
    time: { from: "now-3h", to: "now" },
    templating: { list: [{ name: "source", label: "Prometheus", type: "datasource", query: "prometheus" }] },
    panels,
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function panelOf({ title, unit, lines }: Graph, id: number, gridPos: object) {
  const datasource = { type: "prometheus", uid: "${source}" };
  const targets = lines.map(([expr, legendFormat], index) => {
    return { refId: String.fromCodePoint(65 + index), datasource, expr, legendFormat };
  });
  const fieldConfig = { defaults: { unit, min: 0 }, overrides: [] };
  return { id, type: "timeseries", title, datasource, gridPos, fieldConfig, targets };
}
