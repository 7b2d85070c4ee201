import { showProperties } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";
import { survey } from "./options.ts";

export const surveysCopy = defineCommand({
  words: ["surveys", "copy"],
  summary: "Copy a survey's definition and settings to a new draft",
  example: "surveys copy 1a2b3c4d5e6f7g8h --name Autumn",
  options: {
    survey,
    name: { placeholder: "name", help: "of the copy (default: the same)" },
    toProfile: { placeholder: "name", help: "into the workspace of this login (default: the survey's)" },
  },
  async run({ survey, name, toProfile }, { env, canvass }) {
    const [{ copySurvey }, { findAccess }, { createCanvass }, from] = await Promise.all([
      import("../documents/copy-survey.ts"),
      import("../profiles/find-access.ts"),
      import("@canvass/sdk"),
      canvass(),
    ]);
    // The variables name where the survey is.
    const { CANVASS_URL: _url, CANVASS_TOKEN: _token, ...others } = env;
    const to = toProfile === undefined ? from : createCanvass(await findAccess(others, toProfile));
    return copySurvey(from, to, survey, name);
  },
  show: ({ withoutPassword, ...copied }) =>
    `${showProperties(copied)}${withoutPassword ? "\nThe copy has no password; give it one of its own." : ""}`,
});
