import { defaultFile } from "../documents/survey-file.ts";
import { defineCommand } from "../define-command.ts";
import { file, survey } from "./options.ts";

export const pull = defineCommand({
  words: ["pull"],
  summary: "Write a survey to a file, for editing and applying",
  example: "pull 1a2b3c4d5e6f7g8h lunch.yaml",
  options: {
    survey,
    file,
    force: { help: "replace a file that has local changes" },
  },
  async run({ survey, file = defaultFile, force }, { env, access, canvass }) {
    const [{ pullSurvey }, { lockSurveyFile }, { url }, client] = await Promise.all([
      import("../documents/pull-survey.ts"),
      import("../documents/lock-survey-file.ts"),
      access(),
      canvass(),
    ]);
    using _lock = lockSurveyFile(env, file);
    // Awaited here, so that the lock is held until then.
    return await pullSurvey(client, { url, surveyId: survey, path: file, replace: force === true });
  },
  show: ({ file, surveyId, changed }) =>
    changed ? `Wrote survey ${String(surveyId)} to ${String(file)}.` : `${String(file)} is as the survey already.`,
});
