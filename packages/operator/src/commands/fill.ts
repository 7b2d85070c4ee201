import { urlViolation, listenForStop, numberViolation, showProperties } from "@canvass/command-line";
import { randomInt } from "node:crypto";
import { defineCommand } from "../define-command.ts";

const largestSeed = 2 ** 31 - 1;

export const fill = defineCommand({
  words: ["fill"],
  summary: "Fill a published survey with random respondents, for trials; each run adds more",
  example: "fill --survey 1a2b3c4d5e6f7g8h --responses 1000",
  options: {
    survey: { placeholder: "id", required: true, help: "the survey" },
    responses: {
      placeholder: "number",
      required: true,
      help: "respondents to add; some of them leave before the end",
      violation: numberViolation(1, 10_000_000),
    },
    token: {
      placeholder: "token",
      help: "API token, also CANVASS_TOKEN (default: the running system's); needs surveys:read and responses:write",
    },
    baseUrl: {
      placeholder: "url",
      help: "an API elsewhere, such as http://127.0.0.1:8080/api/v1",
      violation: urlViolation,
    },
    languages: {
      placeholder: "languages",
      help: "languages of the respondents, such as en,de (default: all in which the survey is offered)",
    },
    fields: {
      placeholder: "values",
      help: "values of hidden fields as a query string, such as 'customer=12&plan=pro' (default: random ones)",
    },
    concurrency: {
      placeholder: "number",
      help: "simultaneous requests (default: 4)",
      violation: numberViolation(1, 64),
    },
    seed: {
      placeholder: "number",
      help: "the same seed gives the same respondents (default: random)",
      violation: numberViolation(0, largestSeed),
    },
  },
  async run(
    { survey, responses, token, baseUrl, languages, fields, concurrency = "4", seed },
    { findHttpApi, progress },
  ) {
    // Imported here, because loading the question types is slow.
    const { fillSurvey } = await import("../fill/fill-survey.ts");
    using stop = listenForStop();
    const started = performance.now();
    const filled = await fillSurvey(await findHttpApi({ baseUrl, token }), {
      surveyId: survey,
      responses: Number(responses),
      concurrency: Number(concurrency),
      seed: seed === undefined ? randomInt(largestSeed) : Number(seed),
      languages: languages?.split(","),
      fields: fields === undefined ? undefined : new URLSearchParams(fields),
      stop: stop.signal,
      onProgress: (respondents) => progress(`${respondents} of ${responses} respondents are in`),
    }).finally(() => progress(undefined));
    return { ...filled, seconds: Math.round(performance.now() - started) / 1000 };
  },
  show: ({ stopped, languages, fullQuotas, stuckAt, ...rest }) => {
    const counted = Object.entries({ languages, fullQuotas, stuckAt }).map(([name, counts]) => [name, shown(counts)]);
    const properties = showProperties({ ...rest, ...Object.fromEntries(counted) });
    return stopped ? `Stopped: ${String(rest["respondents"])} respondents are in.\n${properties}` : properties;
  },
  isRefused: ({ failed }) => failed !== 0,
});

/** Null without any, so that no line is shown. */
function shown(counts: unknown): string | null {
  const entries = Object.entries(counts as Record<string, number>);
  return entries.length === 0 ? null : entries.map(([name, count]) => `${name} ${count}`).join(", ");
}
