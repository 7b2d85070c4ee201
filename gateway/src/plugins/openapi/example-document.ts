/** A survey as a document (contract 6.14). */
export const exampleDocument = {
  name: "Lunch",
  language: "en",
  settings: { display: { progressStyle: "steps" } },
  pages: [
    {
      key: "start",
      title: "Today",
      elements: [
        { key: "overall", type: "rating", text: "How was it?", required: true },
        {
          key: "again",
          type: "multiple_choice",
          text: "Would you come again?",
          choices: [
            { key: "yes", text: "Yes" },
            { key: "no", text: "No" },
          ],
        },
      ],
      skipLogic: [{ when: { element: "again", operator: "equals", value: "yes" }, goTo: "end" }],
    },
    { key: "reasons", elements: [{ key: "why", type: "long_text", text: "Why not?" }] },
  ],
};
