import { numberViolation } from "@canvass/command-line";
import { setTimeout as delay } from "node:timers/promises";
import { defineCommand } from "../define-command.ts";
import type { Examination } from "../doctor/examine.ts";
import { findProcesses, opsViolation } from "../doctor/find-processes.ts";

export const doctor = defineCommand({
  words: ["doctor"],
  summary: "Diagnose a running installation: what is wrong and what to do",
  example: "doctor",
  options: {
    ops: {
      placeholder: "name=url,…",
      help: "operations ports of the processes (default: those of the running system)",
      violation: opsViolation,
    },
    seconds: {
      placeholder: "number",
      help: "seconds between two readings, for rates (default: 2)",
      violation: numberViolation(0, 600),
    },
  },
  async run({ ops, seconds = "2" }, { env, progress }) {
    const processes = await findProcesses(ops, env);
    const { examine } = await import("../doctor/examine.ts");
    progress(`asking ${processes.length} processes`);
    const pause = () => delay(Number(seconds) * 1_000);
    return examine(processes, { now: Date.now, pause }).finally(() => progress(undefined));
  },
  show: (result) => shown(result as Examination),
  isRefused: ({ findings }) => (findings as unknown[]).length > 0,
});

function shown({ processes, findings }: Examination): string {
  const versions = [...new Set(processes.map(({ version }) => version).filter((version) => version !== null))];
  const silent = processes.filter(({ measures }) => !measures).map(({ name }) => name);
  const asked = [
    counted(processes.length, "process", "es"),
    ...(versions.length === 0 ? [] : [`version ${versions.join(", ")}`]),
    ...(silent.length === 0 ? [] : [`without metrics, so only asked whether they are ready: ${silent.join(", ")}`]),
  ].join(", ");
  if (findings.length === 0) return `Everything is well (${asked}).`;
  const lines = findings.map(({ severity, sentence, advice, runbook }) => {
    return `${severity === "page" ? "✖" : "!"} ${inLine(sentence)} ${inLine(advice)} (${runbook})`;
  });
  return [...lines, "", `${counted(findings.length, "finding", "s")} (${asked}).`].join("\n");
}

/** Sentences quote labels of metrics, which may contain line breaks. */
const inLine = (text: string): string => text.replaceAll(/\s+/g, " ");

const counted = (count: number, noun: string, plural: string): string => `${count} ${noun}${count === 1 ? "" : plural}`;
