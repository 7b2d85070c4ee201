const surveyId = "01h8x3k9q2m4a7zp";
const variable = { elementId: "01h8x3k9q2f5c1xt", name: "again", text: "Would you come again?", isMultiple: false };

/** A table of two questions (contract 7.20). */
export const exampleCrosstab = {
  surveyId,
  basis: "answers",
  percentagesOf: "answered",
  rowVariable: variable,
  columnVariable: {
    elementId: "01h8x3k9q2b7v4ds",
    name: "plan",
    text: "Which plan do you have?",
    isMultiple: false,
  },
  matched: 46,
  counted: 44,
  missing: {
    rows: 2,
    columns: 0,
    both: 0,
  },
  rows: [
    {
      id: "01h8x3k9q2y0r3fm",
      label: "Yes",
      code: "yes",
      total: {
        respondents: 30,
        ofTotal: 68.18,
      },
      cells: [
        {
          respondents: 20,
          ofRow: 66.67,
          ofColumn: 83.33,
          ofTotal: 45.45,
        },
        {
          respondents: 10,
          ofRow: 33.33,
          ofColumn: 50,
          ofTotal: 22.73,
        },
      ],
    },
    {
      id: "01h8x3k9q2n0t8wa",
      label: "No",
      code: "no",
      total: {
        respondents: 14,
        ofTotal: 31.82,
      },
      cells: [
        {
          respondents: 4,
          ofRow: 28.57,
          ofColumn: 16.67,
          ofTotal: 9.09,
        },
        {
          respondents: 10,
          ofRow: 71.43,
          ofColumn: 50,
          ofTotal: 22.73,
        },
      ],
    },
  ],
  columns: [
    {
      id: "01h8x3k9q2e6g1hj",
      label: "Free",
      total: {
        respondents: 24,
        ofTotal: 54.55,
      },
    },
    {
      id: "01h8x3k9q2p5s9uv",
      label: "Pro",
      total: {
        respondents: 20,
        ofTotal: 45.45,
      },
    },
  ],
  chiSquare: {
    value: 5.587,
    degreesOfFreedom: 1,
    p: 0.0181,
    smallestExpected: 6.364,
    expectedBelow5: 0,
  },
  weighting: null,
};

/** NPS by week (contract 7.21). */
export const exampleSeries = {
  surveyId,
  basis: "answers",
  variable: {
    ...variable,
    name: "recommend",
    text: "How likely are you to recommend us?",
  },
  by: "week",
  timeZone: "Europe/Berlin",
  measure: "nps",
  matched: 46,
  counted: 44,
  missing: 2,
  value: 25,
  points: [
    {
      from: "2026-01-19",
      respondents: 20,
      value: 35,
      promoters: 11,
      passives: 5,
      detractors: 4,
    },
    {
      from: "2026-01-26",
      respondents: 24,
      value: 16.67,
      promoters: 10,
      passives: 8,
      detractors: 6,
    },
  ],
};
