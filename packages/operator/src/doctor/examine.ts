import { askProcess, type OpsAddress } from "./ask-process.ts";
import { findingsOf, type Asked, type Finding } from "./findings.ts";

export type Examination = {
  /** `measures` is false for a process that responds with metrics off. */
  processes: { name: string; version: string | null; state: string; measures: boolean }[];
  findings: Finding[];
};

export type ExaminationOptions = {
  now: () => number;
  /** Waits between two readings, from which rates are computed. */
  pause: () => Promise<unknown>;
};

export async function examine(
  processes: readonly OpsAddress[],
  { now, pause }: ExaminationOptions,
): Promise<Examination> {
  const askAll = () => Promise.all(processes.map((process) => askProcess(process, now)));
  const before = await askAll();
  await pause();
  const after = await askAll();
  const asked = processes.map(({ name }, index) => ({ name, before: before[index]!, after: after[index]! }));
  return { processes: asked.map(summaryOf), findings: findingsOf(asked) };
}

function summaryOf({ name, after }: Asked) {
  if (after.state !== "answers") return { name, version: null, state: after.state, measures: true };
  const build = after.samples.find((sample) => sample.name === "canvass_build_info");
  return {
    name,
    version: build?.labels["version"] ?? null,
    state: after.ready ? "ready" : after.status || "unavailable",
    measures: after.samples.length > 0,
  };
}
