import { urlViolation, showProperties } from "@canvass/command-line";
import type { CounterDifference } from "@canvass/proto/response-operator";
import { defineCommand } from "../define-command.ts";
import { workspace } from "./options.ts";

type ShownDifference = ReturnType<typeof shownDifference>;

export const resultsVerify = defineCommand({
  words: ["results", "verify"],
  summary: "Recount a survey's results from its answers, and compare or repair the counters",
  example: "results verify --workspace 0k3j9x2m4n5p6q7r --survey 1a2b3c4d5e6f7g8h --repair",
  options: {
    workspace,
    survey: { placeholder: "id", required: true, help: "the survey" },
    repair: { help: "repair counters that differ; the survey can collect meanwhile" },
    responseService: {
      placeholder: "url",
      help: "a response service elsewhere, beside --token-service",
      violation: urlViolation,
    },
  },
  async run({ workspace: workspaceId, survey: surveyId, repair = false }, { connectOperator, connectResults }) {
    const { timeZone } = await (await connectOperator()).getWorkspace({ workspaceId });
    const differences: ShownDifference[] = [];
    const found = { respondents: 0, answers: 0, differing: 0, repaired: false, averageTimeCompared: true };
    for await (const chunk of (await connectResults()).verifyResults({ workspaceId, surveyId, timeZone, repair })) {
      differences.push(...chunk.differences.map(shownDifference));
      const { outcome } = chunk;
      if (!outcome) continue;
      const { differing, repaired, timeUnknown } = outcome;
      Object.assign(found, { respondents: Number(chunk.respondents), answers: Number(chunk.answers) });
      Object.assign(found, { differing: Number(differing), repaired, averageTimeCompared: !timeUnknown });
    }
    return { workspaceId, surveyId, ...found, differences };
  },
  show: ({ differences, ...rest }) => [...(differences as ShownDifference[]).map(line), summary(rest)].join("\n"),
  isRefused: ({ differing, repaired }) => differing !== 0 && repaired !== true,
});

function shownDifference({
  counter,
  questionId,
  bucket,
  number,
  startsAt,
  standing,
  counted,
  offPath,
  quotaId,
}: CounterDifference) {
  const at = startsAt && { startsAt: new Date(Number(startsAt.seconds) * 1000).toISOString() };
  const place = { ...(questionId && { questionId }), ...(bucket && { bucket }), ...(offPath && { offPath }), ...at };
  return { counter, ...place, ...(quotaId && { quotaId }), ...(number !== undefined && { number }), standing, counted };
}

const COUNTED: Readonly<Record<string, string>> = {
  "survey_counters.started": "respondents that started",
  "survey_counters.completed": "respondents that completed",
  "survey_counters.completion_milliseconds": "milliseconds from start to completion",
  "survey_counters.test_answers": "answers of tests",
  "question_counters.responses": "answers",
  "question_counters.respondents": "respondents",
  "question_counters.sum": "sum of answers, in billionths",
  "bucket_counters.count": "answers",
  "number_counters.count": "answers",
  "completion_slots.completions": "completions",
  "quota_counters.completed": "respondents that completed",
};

function line({ counter, standing, counted, ...place }: ShownDifference): string {
  const { questionId, bucket, number, startsAt, offPath, quotaId } = place as Record<string, string | undefined>;
  const where = [
    quotaId && `quota ${quotaId}`,
    questionId && `question ${questionId}`,
    bucket && `at ${bucket}`,
    number !== undefined && `at ${number}`,
    offPath && "off the path",
    startsAt && `in the quarter of an hour from ${startsAt}`,
  ];
  const what = [...where.filter(Boolean), COUNTED[counter] ?? counter].join(", ");
  return `${what}: ${counted} counted, ${standing} in the answers`;
}

function summary({ averageTimeCompared, differing, repaired, ...rest }: Readonly<Record<string, unknown>>): string {
  const outcome = differing === 0 ? "the counters are right" : `${String(differing)} rows of counters differ`;
  const unknown = averageTimeCompared ? undefined : "not compared, since full anonymity keeps no times";
  return showProperties({ ...rest, outcome: repaired ? `${outcome}; mended` : outcome, "average time": unknown });
}
