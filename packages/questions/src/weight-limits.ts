/** Limits far beyond realistic surveys. Within them, work on a survey does not delay other requests. */
export const weightLimits = {
  /** Rows x columns; in a dropdown matrix, rows x all options of the columns. */
  matrixCells: 10_000,
  surveyCells: 100_000,
  definitionBytes: 4 * 1024 * 1024,
  surveyPages: 1_000,
  pageRules: 100,
  elementConstraints: 20,
  /** Of JSON: a language's translations, and those into all languages. */
  languageBytes: 1024 * 1024,
  translationBytes: 12 * 1024 * 1024,
  /** Comparisons in all conditions, also of quotas. */
  surveyComparisons: 2_000,
  /** Comparisons on pages that repeat, each counted for every choice that its page may repeat for. */
  repeatedComparisons: 20_000,
  /** Questions with `choicesFrom`. */
  carryingQuestions: 50,
} as const;
