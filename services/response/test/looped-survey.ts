import { buildQuestions, type Question } from "@canvass/questions";
import { testId } from "./questions.ts";

let next = 0;
const built = buildQuestions(
  [
    { type: "multiple_choice", text: "Which?", choices: ["A", "B", "C"], multipleAnswers: true },
    { type: "number", text: "How many?" },
    { type: "rating", text: "How was it?" },
    { type: "matrix", text: "How?", rows: ["R", "S"], columns: ["X", "Y"] },
    { type: "rating", text: "How was this one?" },
    { type: "short_text", text: "Why?" },
  ],
  () => `loop${String(++next).padStart(12, "0")}`,
);
if ("violations" in built) throw new Error(JSON.stringify(built.violations));
const [choice, number, rating, matrix, itemRating, text] = built.questions.map(({ question }) => question) as [
  Question,
  Question,
  Question,
  Question,
  Question,
  Question,
];

/** The questions of a survey whose second page repeats for each chosen item. */
export const looped = { choice, number, rating, matrix, itemRating, text };

export const loopedPages = [[choice, number, rating, matrix], [itemRating], [text]];

/** The element whose choices the second page repeats for. Tests put it into the survey's definition. */
export const loop = { elementId: choice.elementId };

export const items = choice.choices!.map(({ id }) => id);

export const pageIds = {
  first: testId("page1"),
  item: (item: string) => `${testId("page2")}:${item}`,
  last: testId("page3"),
};

/** An answer; with `item`, on the page that repeats for it. */
export const answerTo = ({ elementId }: Question, value: unknown, item?: string) => ({
  elementId: item ? `${elementId}:${item}` : elementId,
  value,
});
