import type { ProcessReport } from "./ask-process.ts";
import { conditionNamed, conditions, type Condition } from "./conditions.ts";
import type { Sample } from "./exposition.ts";
import type { Figure } from "./measures.ts";

export type Finding = {
  condition: string;
  severity: Condition["severity"];
  sentence: string;
  advice: string;
  runbook: string;
};

export type Asked = { name: string; before: ProcessReport; after: ProcessReport };

/** The worst first. */
export function findingsOf(asked: readonly Asked[]): Finding[] {
  const readings = { before: samplesOf(asked, "before"), after: samplesOf(asked, "after") };
  const found = [
    ...asked.flatMap(processFindings),
    ...conditions.flatMap((condition: Condition) =>
      condition.measure
        .read(readings)
        .filter((figure) => isBeyond(figure, condition))
        .map((figure) => findingOf(condition, filledIn(condition, figure))),
    ),
  ];
  return found.sort((one, other) => Number(one.severity === "ticket") - Number(other.severity === "ticket"));
}

const samplesOf = (asked: readonly Asked[], when: "before" | "after"): Sample[] =>
  asked.flatMap((process) => (process[when].state === "answers" ? process[when].samples : []));

function processFindings({ name, after }: Asked): Finding[] {
  const down = conditionNamed("CanvassProcessDown");
  switch (after.state) {
    case "gone":
      return [findingOf(down, `${name} does not run, or nobody answers at its operations port.`)];
    case "hangs":
      return [
        findingOf(
          down,
          `${name} hangs: it takes connections and answers nothing.`,
          "End it by force and start it again.",
        ),
      ];
    case "foreign":
      return [findingOf(down, `What answers for ${name} is no process of Canvass.`, "Correct the address.")];
    case "answers":
      return after.ready ? [] : [notReady(name, after)];
  }
}

function notReady(name: string, { status, failed }: Extract<ProcessReport, { state: "answers" }>): Finding {
  if (status === "draining")
    return findingOf(conditionNamed("CanvassProcessDown"), `${name} is stopping.`, "Wait, or start it again.");
  const missing = failed.length === 0 ? "" : `: no answer from its ${failed.join(", ")}`;
  const advice = `Bring back its ${failed.join(", ") || "parts"}; it is ready by itself then.`;
  return findingOf(conditionNamed("CanvassServiceDoesNotAnswer"), `${name} is not ready${missing}.`, advice);
}

function findingOf({ name, severity, advice, runbook }: Condition, sentence: string, other = advice): Finding {
  return { condition: name, severity, sentence, advice: other, runbook: `deploy/runbooks/${runbook}.md` };
}

function isBeyond({ value }: Figure, { limit }: Condition): boolean {
  return "over" in limit ? value > limit.over : value < limit.under;
}

function filledIn({ sentence, unit }: Condition, { labels, value }: Figure): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === "value" ? shownFigure(value, unit) : (labels[name] ?? "?"),
  );
}

const spans = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

function shownFigure(value: number, unit: Condition["unit"]): string {
  if (unit === "count") return String(value);
  if (unit === "share") return `${rounded(value * 100)} %`;
  const [length, name] = spans.find(([seconds]) => Math.abs(value) >= seconds) ?? [0.001, "ms"];
  return `${rounded(value / length)} ${name}`;
}

const rounded = (value: number): number => Number(value.toPrecision(2));
