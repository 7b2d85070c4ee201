import { splitList } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";
import { survey } from "./options.ts";

export const surveysPublish = defineCommand({
  words: ["surveys", "publish"],
  summary: "Publish a survey's draft",
  example: "surveys publish 1a2b3c4d5e6f7g8h --note Autumn",
  options: {
    survey,
    note: { placeholder: "text", help: "a note about the changes, shown in the list of versions" },
    acknowledge: {
      placeholder: "a,b",
      help: "ids of changes that affect results, as listed by the error without this option",
    },
  },
  async run({ survey, note, acknowledge }, { canvass }) {
    const draft = await (await canvass()).surveys.get(survey);
    const published = await draft.publish({
      ...(note !== undefined && { note }),
      ...(acknowledge !== undefined && { acknowledge: splitList(acknowledge) }),
    });
    return { surveyId: published.id, name: published.name, publishedVersion: published.publishedVersion };
  },
});
