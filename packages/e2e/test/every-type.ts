import { expect } from "vitest";
import type { ApiClient } from "../src/index.ts";

/** Publishes a question of each type, a page that repeats for each colour, and skip logic that skips it. */
export async function publishEveryType(api: ApiClient): Promise<string> {
  const choices = ["Red", "Green", "Blue"];
  const rows = ["Taste", "Smell"];
  const questions = [
    { type: "multiple_choice", text: "Colours", choices, multipleAnswers: true, required: true },
    { type: "yes_no", text: "More?", required: true },
    { type: "short_text", text: "Why this one?", pageTitle: "Each colour" },
    { type: "rating", text: "How much?", required: true },
    {
      type: "short_text",
      text: "Code",
      typeSettings: { pattern: "^[A-Z]{2}-[0-9]{4}$" },
      required: true,
      pageTitle: "All",
    },
    { type: "long_text", text: "Tell" },
    { type: "number", text: "Age", typeSettings: { min: 18, max: 99, decimals: 0 } },
    { type: "dropdown", text: "Town", choices },
    {
      type: "image_choice",
      text: "Picture",
      choices: choices.map((text) => ({ text, imageUrl: "https://example.com/a.png" })),
    },
    { type: "nps", text: "Recommend?", subject: "us" },
    { type: "slider", text: "Slide", typeSettings: { min: 0, max: 1, step: 0.1 } },
    { type: "date_time", text: "When", typeSettings: { mode: "datetime", min: "2026-01-01T00:00Z" } },
    { type: "matrix", text: "Grid", rows, columns: ["Bad", "Good"], typeSettings: { eachRowRequired: true } },
    { type: "dropdown_matrix", text: "Lists", rows, columns: [{ text: "When", options: ["Now", "Later"] }] },
    { type: "ranking", text: "Order", choices },
    { type: "constant_sum", text: "Share", choices },
    { type: "file_upload", text: "Papers", typeSettings: { maxFiles: 2, extensions: ["pdf"] } },
    { type: "consent", text: "Terms", typeSettings: { mustAccept: true }, required: true },
    { type: "contact_info", text: "You" },
    { type: "form", text: "Flat", rows: ["Street", { text: "Rooms", format: "number", required: true }] },
    { type: "statement", text: "Thanks" },
  ];
  const { id: surveyId } = (await api.post("/surveys", { name: "Every type" })).data;
  const { data: added } = await api.post(`/surveys/${surveyId}/questions`, { questions });
  const [colours, more, why, , code] = added;
  const patch = async (pageId: string, body: unknown) =>
    api.call("PATCH", `/surveys/${surveyId}/pages/${pageId}`, { body, headers: { "if-match": "*" } });
  const loop = await patch(why.pageId, { loop: { elementId: colours.elementId } });
  expect([loop.status, loop.raw]).toEqual([200, expect.anything()]);
  const when = { elementId: more.elementId, operator: "equals", value: false };
  const skip = await patch(colours.pageId, { skipLogic: [{ when, goTo: code.pageId }] });
  expect([skip.status, skip.raw]).toEqual([200, expect.anything()]);
  await api.post(`/surveys/${surveyId}/publish`, {}, { "if-match": "*" });
  return surveyId;
}
