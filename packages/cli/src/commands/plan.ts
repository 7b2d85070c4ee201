import { defaultFile } from "../documents/survey-file.ts";
import { defineCommand } from "../define-command.ts";
import type { SurveyPlan } from "../documents/plan-survey.ts";
import { publishes } from "../documents/publication.ts";
import { showPlan } from "../documents/show-plan.ts";
import { file } from "./options.ts";

export const plan = defineCommand({
  words: ["plan"],
  summary: "Show what applying a file would change in its survey; writes nothing",
  example: "plan lunch.yaml --check",
  options: {
    file,
    check: { help: "exit with code 1 if there is anything to apply" },
  },
  async run({ file = defaultFile, check }, { access, canvass }) {
    const [{ planSurvey }, { readSurveyFile }, { isCreation, readState }] = await Promise.all([
      import("../documents/plan-survey.ts"),
      import("../documents/survey-file.ts"),
      import("../documents/survey-state.ts"),
    ]);
    const [read, { url }, client] = [await readSurveyFile(file), await access(), await canvass()];
    const asked = { file, url, check: check === true };
    const state = await readState(file, url);
    if (!state || isCreation(state)) return { ...asked, surveyId: null, upToDate: false };
    const { etag: _, ...planned } = await planSurvey(client, read, state);
    return { ...asked, upToDate: planned.writes.length === 0 && !publishes(planned), ...planned };
  },
  show({ file, url, ...result }) {
    if (result["surveyId"] === null) return `${String(file)} has no survey at ${String(url)}: apply creates one.`;
    return showPlan(String(file), result as unknown as SurveyPlan);
  },
  isRefused: ({ check, upToDate }) => check === true && upToDate === false,
});
