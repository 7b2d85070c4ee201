export const trialSurvey = {
  name: "A cup of coffee",
  description: "Five questions, to see how answering looks and what comes of it.",
  questions: [
    { pageTitle: "Your last coffee", type: "rating", text: "How was it?", required: true },
    {
      type: "multiple_choice",
      text: "What did you drink?",
      choices: ["Espresso", "Filter coffee", "Cappuccino", "Tea, in fact"],
      required: true,
    },
    { type: "yes_no", text: "Would you have another one?" },
    { pageTitle: "In the end", type: "nps", text: "Recommendation", subject: "that coffee" },
    { type: "long_text", text: "Anything else?" },
  ],
};
