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

/** Sizes of the measurements. Rounds of our system and of the bare program alternate. */
export interface BenchSize {
  rounds: number;
  reads: number;
  lists: number;
  respondents: number;
  deliveries: number;
  /** Deliveries per round that a running process drains. */
  drained: number;
  latencies: number;
  /** Due deliveries of the resumed webhook. Endpoints that hang get half as many in total. */
  backlog: number;
  /** Seconds of each single-caller run. */
  loneSeconds: number;
  /** Respondents for each of the two surveys whose storage is measured. */
  weighed: number;
  /** Seconds of each run beside another workspace's flood. */
  floodSeconds: number;
  /** Calls of each authoring operation. */
  edits: number;
  /**
   * Answers of the survey that is streamed, exported, listed and aggregated. `streams` and `pages` count the
   * repetitions.
   */
  answers: number;
  streams: number;
  pages: number;
  /** Respondents over whose answers tables are computed. */
  tabled: number;
  /** Respondents who walk through a survey at the same time. */
  walkers: number;
  /** Contacts of the workspace whose list is read. */
  contacts: number;
  /** Seconds for which the idle system is measured. */
  restSeconds: number;
}

export type AuthoringRow = `authoring_${"add" | "list" | "read" | "order" | "changes" | "publish" | "edit"}`;

export type TelemetryPart = "telemetry" | "metrics" | "tracing" | "tracing_all";

/** `ours` and `bare` are figures of the two programs, or of two runs of ours. README.md says which, for each row. */
export interface Measurement {
  name:
    | `rest_${"cpu" | "memory" | "postgres"}`
    | "read"
    | "elements"
    | "submit"
    | `logic_${"save" | "whole"}${"" | "_cpu"}`
    | "languages_start"
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
    | "crosstab"
    | "crosstab_cold"
    | "crosstab_new_answer"
    | "weighted_crosstab"
    | "series"
    | "filtered_results"
    | "completed_results"
    | "tables_memory"
    | "fair_crosstabs"
    | `${"whole" | "paged"}_${"answer" | "response"}_weight`;
  ours: number;
  bare: number;
  ratio: number;
  unit: string;
}

/** Builds one result row from the medians of several runs. */
export function measured(name: Measurement["name"], ours: number[], bare: number[], unit: string): Measurement {
  const [our, their] = [median(ours), median(bare)];
  return { name, ours: our, bare: their, ratio: our / their, unit };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
