import { defineCommand } from "../define-command.ts";
import { survey } from "./options.ts";

export const linksCreate = defineCommand({
  words: ["links", "create"],
  summary: "Create a link to a survey, active at once",
  example: "links create 1a2b3c4d5e6f7g8h --name Newsletter",
  options: {
    survey,
    name: { placeholder: "name", required: true, help: "of the link" },
    draft: { help: "leave it as a draft" },
  },
  async run({ survey, name, draft }, { canvass }) {
    const created = await (await canvass()).links.create(survey, { name });
    const { id, status, url } = draft ? created : await created.activate();
    return { linkId: id, surveyId: survey, name, status, url };
  },
});
