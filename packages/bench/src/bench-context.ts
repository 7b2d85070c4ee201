import type { DemoSystem } from "@canvass/e2e";
import type { Bare } from "./bare/start-bare.ts";
import type { Receiver } from "./receiver.ts";

export interface BenchContext {
  demo: DemoSystem;
  bare: Bare;
  receiver: Receiver;
  size: BenchSize;
  say: (line: string) => void;
}

/** Sizes of the measurements. Rounds of ours and bare alternate. */
export interface BenchSize {
  rounds: number;
  reads: number;
  lists: number;
  respondents: number;
  deliveries: number;
  /** Deliveries that a running process drains, a round. */
  drained: number;
  latencies: number;
  /** Deliveries that wait for a webhook that is resumed; half as many for endpoints that hang. */
  backlog: number;
  /** Seconds of each run of one caller. */
  loneSeconds: number;
  /** Respondents for each of the two surveys whose answers are weighed. */
  weighed: number;
  /** Seconds for which one workspace is measured while another floods. */
  floodSeconds: number;
  /** Calls of each operation of authoring. */
  edits: number;
  /** Answers of a survey that is streamed, exported, listed and added up, and how often each is done. */
  answers: number;
  streams: number;
  pages: number;
  /** Respondents who walk through a survey at once. */
  walkers: number;
  /** Contacts of a workspace whose list is read. */
  contacts: number;
  /** Seconds for which the resting system is measured. */
  restSeconds: number;
}

export type AuthoringRow = `authoring_${"add" | "list" | "read" | "order" | "changes" | "publish" | "edit"}`;

export type TelemetryPart = "telemetry" | "metrics" | "tracing" | "tracing_all";

export interface Measurement {
  name:
    | `rest_${"cpu" | "memory" | "postgres"}`
    | "read"
    | "elements"
    | "submit"
    | `lone_${"read" | "save"}`
    | `lone_${"read" | "save"}_p99`
    | `page_walk${"" | "_p99"}`
    | `contact_${"import" | "page" | "deep_page"}`
    | "lone_read_floor"
    | "deliveries"
    | "drain"
    | "completion_to_webhook"
    | "completion_to_webhook_p99"
    | `event_${"wal" | "cpu"}`
    | `${TelemetryPart}_${"read" | "submit"}`
    | "fair_deliveries_p99"
    | "fair_fan_out"
    | `resumed_backlog_${"p99" | "memory"}`
    | "fair_share"
    | "fair_share_answers"
    | AuthoringRow
    | `answer_${"stream" | "export" | "list" | "results" | "page"}`
    | `answer_memory_${"gateway" | "response"}`
    | "aggregation"
    | `${"whole" | "paged"}_${"answer" | "response"}_weight`;
  ours: number;
  bare: number;
  /** ours / bare. */
  ratio: number;
  unit: string;
}

/** One row of the result from several runs of each. */
export function measured(name: Measurement["name"], ours: number[], bare: number[], unit: string): Measurement {
  const [our, their] = [median(ours), median(bare)];
  return { name, ours: our, bare: their, ratio: our / their, unit };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
