import { buildQuestions, type Question } from "@canvass/questions";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { startHarness, surveyId, testId, workspaceId } from "./harness.ts";

let next = 0;
const newId = () => String(++next).padStart(16, "0");

const built = buildQuestions(
  [
    { type: "multiple_choice", text: "Which?", choices: ["A", "B", "C"], multipleAnswers: true },
    { type: "matrix", text: "How?", rows: ["R", "S"], columns: ["X", "Y"] },
    { type: "constant_sum", text: "How much?", choices: ["A", "B"] },
    { type: "number", text: "How many?" },
    { type: "rating", text: "Nobody answers." },
  ],
  newId,
);
if ("violations" in built) throw new Error(JSON.stringify(built.violations));
const questions = built.questions.map(({ question }) => question);
const [choice, matrix, sum, number, silent] = questions as [Question, Question, Question, Question, Question];
const [[a, b], [r, s], [x], [one, two]] = [choice.choices, matrix.rows, matrix.columns, sum.choices].map((list) =>
  list!.map(({ id }) => id),
) as [string[], string[], string[], string[]];

const harness = await sharedByFile(startHarness([questions]));

const answer = ({ elementId }: Question, value: unknown) => ({ elementId, value });

async function submit(responses: object[], live = true): Promise<string> {
  const respondentId = await harness.start({ live });
  const options = live ? {} : { caller: harness.signed({ live }) };
  const outcome = await harness.submit({ respondentId, responses, pageId: testId("page1") }, options);
  expect(outcome.code).toBe("submitted");
  return respondentId;
}

async function count(...questionIds: string[]) {
  const { surveys } = await harness.client.batchCountAnswers({ surveys: [{ workspaceId, surveyId, questionIds }] });
  return surveys.map(({ questions }) =>
    questions.map(({ questionId, responses, respondents, entries }) => ({
      questionId,
      responses: Number(responses),
      respondents: Number(respondents),
      entries: Object.fromEntries(Object.entries(entries).map(([id, count]) => [id, Number(count)])),
    })),
  )[0]!;
}

test("answers are counted by question, choice, row and column, without tests and retracted ones", async () => {
  expect(await count(...questions.map(({ questionId }) => questionId))).toEqual([]);
  await submit([
    answer(choice, [a, b]),
    answer(matrix, { [r!]: x, [s!]: x }),
    answer(sum, { [one!]: 100, [two!]: 0 }),
    answer(number, 1_000_000_000_000_000),
  ]);
  const undecided = await submit([answer(choice, [b]), answer(matrix, { [r!]: x })]);
  await submit([answer(choice, [a]), answer(silent, 3)], false);
  const all = await count(...questions.map(({ questionId }) => questionId));
  expect(all).toEqual([
    { questionId: choice.questionId, responses: 2, respondents: 2, entries: { [a!]: 1, [b!]: 2 } },
    // The column was chosen in three rows, but by two people.
    { questionId: matrix.questionId, responses: 2, respondents: 2, entries: { [r!]: 2, [s!]: 1, [x!]: 2 } },
    { questionId: sum.questionId, responses: 1, respondents: 1, entries: { [one!]: 1 } },
    { questionId: number.questionId, responses: 1, respondents: 1, entries: {} },
  ]);
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
  const changed = await harness.submit({
    respondentId: undecided,
    responses: [answer(choice, [a]), answer(matrix, null)],
    pageId: testId("page1"),
  });
  expect(changed.code).toBe("submitted");
  expect((await count(matrix.questionId, choice.questionId)).map(({ entries }) => entries)).toEqual([
    { [a!]: 2, [b!]: 1 },
    { [r!]: 1, [s!]: 1, [x!]: 1 },
  ]);
});

test("each survey of a batch gets its own counts; missing ones were not answered", async () => {
  const questionIds = [choice.questionId];
  const { surveys } = await harness.client.batchCountAnswers({
    surveys: [
      { workspaceId: "workspace2000000", surveyId, questionIds },
      { workspaceId, surveyId, questionIds },
      { workspaceId, surveyId: "absent0000000000", questionIds },
      { workspaceId, surveyId, questionIds: [] },
    ],
  });
  expect(surveys.map(({ questions }) => questions.length)).toEqual([0, 1, 0, 0]);
});
