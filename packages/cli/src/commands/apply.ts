import { listenForStop } from "@canvass/command-line";
import { OperationalError } from "@canvass/provisioning";
import { defineCommand } from "../define-command.ts";
import type { Applied } from "../documents/apply-survey.ts";
import { defaultFile } from "../documents/survey-file.ts";
import { file } from "./options.ts";

const acknowledgeable = ["results_affecting"] as const;

export const apply = defineCommand({
  words: ["apply"],
  summary: "Update a survey from its file, or create it, and publish it",
  example: "apply lunch.yaml",
  options: {
    file,
    acknowledge: {
      placeholder: "class",
      help: "publish changes of this class: results_affecting (default: asks)",
      choices: acknowledgeable,
      violation: (text) => (acknowledgeable.some((known) => known === text) ? undefined : "is results_affecting"),
    },
    overwrite: { help: "overwrite changes that were made since the last pull or apply (default: asks)" },
    draft: { help: "do not publish; name and settings still take effect at once" },
  },
  async run({ file = defaultFile, acknowledge, overwrite, draft }, { env, access, canvass, note }) {
    const [{ applySurvey }, { readSurveyFile }, { lockSurveyFile }, { confirm }] = await Promise.all([
      import("../documents/apply-survey.ts"),
      import("../documents/survey-file.ts"),
      import("../documents/lock-survey-file.ts"),
      import("../session/confirm.ts"),
    ]);
    const [{ url }, client] = [await access(), await canvass()];
    using _lock = lockSurveyFile(env, file);
    const read = await readSurveyFile(file);
    using stop = listenForStop();
    const allow = {
      overwrite: async () => void (overwrite || (await confirm("Overwrite these changes?", "--overwrite"))),
      acknowledge: async () =>
        void (acknowledge ?? (await confirm("Publish what affects results?", "--acknowledge results_affecting"))),
    };
    try {
      const options = { signal: stop.signal };
      const applied = await applySurvey(client, { url, file: read, draft: draft === true, allow, note, options });
      return { file, url, ...applied };
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      throw new OperationalError(
        "Stopped. What was sent may have been done; run it again, and it goes on from there.",
        {
          cause: error,
        },
      );
    }
  },
  show(result) {
    const { surveyId, created, wrote, publishedVersion } = result as unknown as Applied;
    if (publishedVersion !== null) return `Published survey ${surveyId} as version ${publishedVersion}.`;
    if (created || wrote.length > 0) return `The draft of survey ${surveyId} is as ${String(result["file"])} says.`;
    return `Nothing to do: survey ${surveyId} is as ${String(result["file"])} says.`;
  },
});
