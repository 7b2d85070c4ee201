import { showProperties } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";
import { survey } from "./options.ts";

export const surveysShow = defineCommand({
  words: ["surveys", "show"],
  summary: "Show a survey",
  example: "surveys show 1a2b3c4d5e6f7g8h",
  options: { survey },
  run: async ({ survey }, { canvass }) => ({ ...(await (await canvass()).surveys.get(survey)) }),
  show: (shown) => showProperties({ ...shown, settings: undefined, etag: undefined }),
});
