import { buildQuestions, type Page, type Question, type SurveyDefinition } from "@canvass/questions";

/** Returns a function that makes ids that count up. */
export function countingIds(): () => string {
  let last = 0;
  return () => `e${String(++last).padStart(15, "0")}`;
}

const newId = countingIds();

/** Questions made as the API makes them. Throws with the violations when the input is not accepted. */
export function questionsOf(...inputs: Record<string, unknown>[]): Question[] {
  const result = buildQuestions(inputs, newId);
  if ("violations" in result) throw new Error(JSON.stringify(result.violations));
  return result.questions.map(({ question }) => question);
}

export function pageOf(elements: Question[], rest: Partial<Page> = {}): Page {
  return { pageId: newId(), title: null, loop: null, skipLogic: [], elements, ...rest };
}

const pixel = "https://pictures.example";

/** Questions of all types, on six pages. */
export function everyType(): SurveyDefinition {
  const pages: [title: string | null, questions: Record<string, unknown>[]][] = [
    [
      "About you",
      [
        { type: "statement", text: "Welcome", typeSettings: { text: "It takes about three minutes.\nThank you!" } },
        { type: "short_text", text: "What should we call you?", helpText: "A first name is enough.", required: true },
        { type: "contact_info", text: "How can we reach you?" },
        {
          type: "form",
          text: "Where do you come from?",
          rows: ["Town", { text: "Minutes on the way", format: "number" }, { text: "Website", format: "url" }],
        },
      ],
    ],
    [
      "Your last visit",
      [
        { type: "yes_no", text: "Did you find what you came for?", required: true },
        {
          type: "multiple_choice",
          text: "What did you buy?",
          multipleAnswers: true,
          choices: ["Coffee", "Tea", "Cake", "Beans"],
          typeSettings: { other: { enabled: true } },
        },
        { type: "dropdown", text: "Which shop was it?", choices: ["Old Town", "Harbour", "Station"] },
        {
          type: "image_choice",
          text: "Which cup do you prefer?",
          choices: ["small", "medium", "large"].map((text) => ({ text, imageUrl: `${pixel}/${text}.png` })),
        },
      ],
    ],
    [
      "Ratings",
      [
        {
          type: "rating",
          text: "How was the coffee?",
          required: true,
          typeSettings: { labels: { 1: "Bad", 5: "Great" } },
        },
        { type: "rating", text: "And the cake?", typeSettings: { style: "heart", steps: 6 } },
        { type: "rating", text: "And the mood?", typeSettings: { style: "smiley" } },
        { type: "nps", text: "-", subject: "the coffee house" },
        { type: "slider", text: "How loud was it?", typeSettings: { min: 0, max: 100, step: 5 } },
      ],
    ],
    [
      "Details",
      [
        {
          type: "matrix",
          text: "How do you rate these?",
          rows: ["Taste", "Price", "Service"],
          columns: ["Poor", "Fair", "Good", "Very good"],
        },
        {
          type: "dropdown_matrix",
          text: "When do you come?",
          rows: ["Weekdays", "Weekend"],
          columns: [
            { text: "From", options: ["Morning", "Noon", "Evening"] },
            { text: "How often", options: ["Daily", "Sometimes"] },
          ],
        },
        { type: "ranking", text: "What matters most?", choices: ["Taste", "Price", "Speed"] },
        {
          type: "constant_sum",
          text: "Spread 100 points",
          choices: ["Taste", "Price", "Speed"],
        },
      ],
    ],
    [
      null,
      [
        { type: "number", text: "How many cups a day?", typeSettings: { min: 0, max: 20, decimals: 1 } },
        { type: "date_time", text: "When were you here last?" },
        { type: "date_time", text: "At what time?", typeSettings: { mode: "time" } },
        { type: "date_time", text: "When will you come again?", typeSettings: { mode: "datetime" } },
      ],
    ],
    [
      "At the end",
      [
        { type: "long_text", text: "Anything else?" },
        { type: "file_upload", text: "A picture of your cup" },
        {
          type: "consent",
          text: "May we keep your answers?",
          required: true,
          typeSettings: { text: "I agree that my answers are kept for a year.", mustAccept: true },
        },
      ],
    ],
  ];
  return { pages: pages.map(([title, questions]) => pageOf(questionsOf(...questions), { title })) };
}

/** Questions of all types, and more, on one page, each required. */
export function allRequired(...more: Question[]): SurveyDefinition {
  const elements = [...everyType().pages.flatMap((page) => page.elements), ...more];
  const required = elements.map((each) => ({
    ...each,
    responseValidation: { ...each.responseValidation, required: true },
  }));
  return { pages: [pageOf(required)] };
}
