import { numberViolation } from "@canvass/command-line";
import type { Api } from "@canvass/sdk";
import { defineCommand } from "../define-command.ts";
import { showTable } from "../show-table.ts";

export const surveysList = defineCommand({
  words: ["surveys", "list"],
  summary: "List surveys, newest first",
  example: "surveys list --search lunch",
  options: {
    search: { placeholder: "text", help: "only surveys with this text in their name" },
    limit: {
      placeholder: "number",
      help: "maximum number of surveys (default: 50)",
      violation: numberViolation(1, 100_000),
    },
  },
  async run({ search, limit = "50" }, { canvass, progress }) {
    const most = Number(limit);
    const surveys: Api.Survey[] = [];
    const filters = { limit: Math.min(most + 1, 100), ...(search !== undefined && { q: search }) };
    for await (const survey of (await canvass()).surveys.list(filters)) {
      if (surveys.length === most) return { surveys, hasMore: true };
      surveys.push(survey);
      progress(`${surveys.length} surveys`);
    }
    return { surveys, hasMore: false };
  },
  show({ surveys, hasMore }) {
    const rows = (surveys as Api.Survey[]).map(({ id, name, publishedVersion, questionCount, responseCount }) => {
      return [id, name, publishedVersion, questionCount, responseCount];
    });
    if (rows.length === 0) return "There are no surveys.";
    const table = showTable(["id", "name", "version", "questions", "responses"], rows);
    return hasMore ? `${table}\nThere are more: give a larger --limit.` : table;
  },
});
