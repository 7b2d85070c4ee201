const languages = ["de", "es"] as const;

/** Texts in German and Spanish. */
function translated(german: Record<string, string>, spanish: Record<string, string>) {
  return { translations: { [languages[0]]: german, [languages[1]]: spanish } };
}

const seats = 8;

/**
 * A document (contract 6.14): three languages, names and codes, display logic, carried choices, an answer in a text, a
 * hidden field and a quota.
 */
export const coffeeDocument = {
  name: "Coffee at work",
  language: "en",
  settings: { locale: { languages: [...languages], showSwitch: true } },
  ...translated({ name: "Kaffee bei der Arbeit" }, { name: "Café en el trabajo" }),
  fields: [{ name: "floor", type: "number", default: 1 }],
  quotas: [
    {
      name: "Seats of the tasting",
      when: { element: "tasting", operator: "equals", value: true },
      limit: seats,
      onFull: "message",
      message: "All seats are taken.",
    },
  ],
  pages: [
    {
      key: "cups",
      elements: [
        {
          key: "drinks",
          name: "drinks",
          type: "multiple_choice",
          text: "What do you drink at work?",
          required: true,
          typeSettings: { multipleAnswers: true },
          choices: [
            { key: "coffee", code: "coffee", text: "Coffee" },
            { key: "tea", code: "tea", text: "Tea" },
            { key: "else", code: "else", freeText: true, text: "Something else" },
            { key: "nothing", code: "none", exclusive: true, text: "Nothing" },
          ],
          ...translated(
            {
              text: "Was trinken Sie bei der Arbeit?",
              "choices.coffee": "Kaffee",
              "choices.tea": "Tee",
              "choices.else": "Etwas anderes",
              "choices.nothing": "Nichts",
            },
            {
              text: "¿Qué bebe en el trabajo?",
              "choices.coffee": "Café",
              "choices.tea": "Té",
              "choices.else": "Otra cosa",
              "choices.nothing": "Nada",
            },
          ),
        },
        {
          key: "cups",
          name: "cups",
          type: "number",
          text: "How many cups of coffee a day?",
          showIf: { element: "drinks", operator: "contains", value: ["coffee"] },
          required: true,
          typeSettings: { min: 1, max: 12, decimals: 0 },
          ...translated({ text: "Wie viele Tassen Kaffee am Tag?" }, { text: "¿Cuántas tazas de café al día?" }),
        },
        {
          key: "best",
          name: "best",
          type: "multiple_choice",
          text: "Which of these do you like best?",
          choicesFrom: { element: "drinks" },
          ...translated({ text: "Was davon mögen Sie am liebsten?" }, { text: "¿Cuál le gusta más?" }),
        },
        {
          key: "tasting",
          name: "tasting",
          type: "yes_no",
          text: "You drink {{drinks}}. Would you like to come to a tasting?",
          showIf: {
            all: [
              { element: "drinks", operator: "answered" },
              { element: "drinks", operator: "not_contains", value: ["nothing"] },
            ],
          },
          ...translated(
            {
              text: "Sie trinken {{drinks}}. Möchten Sie zu einer Verkostung kommen?",
              "settings.labels.yes": "Ja",
              "settings.labels.no": "Nein",
            },
            {
              text: "Bebe {{drinks}}. ¿Quiere venir a una cata?",
              "settings.labels.yes": "Sí",
              "settings.labels.no": "No",
            },
          ),
        },
      ],
    },
  ],
};
