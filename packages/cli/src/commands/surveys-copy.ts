import { numberViolation, showProperties, UsageError } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";
import { survey } from "./options.ts";

export const surveysCopy = defineCommand({
  words: ["surveys", "copy"],
  summary: "Copy a survey's definition and settings to a new draft",
  example: "surveys copy 1a2b3c4d5e6f7g8h --name Autumn",
  options: {
    survey,
    name: { placeholder: "name", help: "name of the copy (default: unchanged)" },
    version: {
      placeholder: "number",
      help: "copy a published version (default: the draft)",
      violation: numberViolation(1, 2 ** 31 - 1),
    },
    toWorkspace: { placeholder: "workspace", help: "copy to another workspace of the same person, by its id" },
    toProfile: {
      placeholder: "name",
      help: "copy to the workspace of this login, which may be of another installation",
    },
  },
  async run({ survey, name, version, toWorkspace: workspaceId, toProfile }, { env, canvass }) {
    if (workspaceId !== undefined && toProfile !== undefined) {
      throw new UsageError("Give --to-workspace or --to-profile, not both.");
    }
    const [{ copyByDocument, copySurvey }, { findAccess }, { createCanvass }, from] = await Promise.all([
      import("../documents/copy-survey.ts"),
      import("../profiles/find-access.ts"),
      import("@canvass/sdk"),
      canvass(),
    ]);
    const copy = {
      ...(name !== undefined && { name }),
      ...(version !== undefined && { version: Number(version) }),
      ...(workspaceId !== undefined && { workspaceId }),
    };
    if (toProfile === undefined) return copySurvey(from, survey, copy);
    // Those two name the installation of the survey, not that of the copy.
    const { CANVASS_URL: _url, CANVASS_TOKEN: _token, ...others } = env;
    return copyByDocument(from, createCanvass(await findAccess(others, toProfile)), survey, copy);
  },
  show: ({ withoutPassword, ...copied }) =>
    `${showProperties(copied)}${withoutPassword ? "\nThe copy has no password; give it one of its own." : ""}`,
});
