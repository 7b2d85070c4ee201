import type { ApiClient } from "../../src/index.ts";

/** A published survey with the questions that the examples of tables name. */
export async function newTabledSurvey(api: ApiClient): Promise<string> {
  const questions = [
    {
      type: "multiple_choice",
      name: "satisfied",
      text: "Are you satisfied?",
      choices: [
        { text: "Yes", code: "yes" },
        { text: "No", code: "no" },
      ],
    },
    {
      type: "multiple_choice",
      name: "gender",
      text: "What is your gender?",
      choices: [
        { text: "Woman", code: "woman" },
        { text: "Man", code: "man" },
      ],
    },
    {
      type: "matrix",
      name: "qualities",
      text: "How was it?",
      rows: [{ text: "Taste", code: "taste" }],
      columns: ["Bad", "Good"],
    },
    { type: "number", name: "age", text: "How old are you?" },
    { type: "nps", name: "recommend", text: "Would you recommend it?" },
  ];
  const { data } = await api.post("/surveys", { name: "Tabled", questions });
  await api.post(`/surveys/${data.id}/publish`, {}, { "if-match": "*" });
  return data.id;
}
