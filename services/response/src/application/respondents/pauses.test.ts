import { settingsWithDefaults, type Question, type SurveyDefinition } from "@canvass/questions";
import { expect, test } from "vitest";
import type { RespondentState } from "../../domain/respondents/respondent-state.ts";
import { countRespondent } from "../../domain/results/count-respondent.ts";
import { applySubmission } from "../../domain/submissions/apply-submission.ts";
import { BatchChanges } from "../../domain/submissions/batch-changes.ts";
import { erasePersonalAnswers } from "../../domain/submissions/erase-answers.ts";
import { noFiles } from "../../domain/submissions/named-files.ts";
import { currentAnswerMessages } from "./respondent-message.ts";

const now = new Date("2026-03-01T12:00:00Z");
const count = 500;
const elements = Array.from({ length: count }, (_, at): Question => ({
  elementId: `e${at}`.padEnd(16, "x"),
  questionId: `q${at}`.padEnd(16, "x"),
  type: 8,
  text: "How was it?",
  helpText: null,
  typeSettings: { steps: 6, style: "number", labels: [] },
  responseValidation: { required: false },
}));
const page = { pageId: "page000000000000", title: null, loop: null, skipLogic: [], elements };
const definition: SurveyDefinition = { pages: [page] };

const responses = elements.map(({ elementId }) => ({ elementId, value: 3 }));
const startedRespondent = (): RespondentState => ({
  workspaceId: "w",
  surveyId: "s",
  respondentId: "r",
  versionId: "v",
  versionNumber: 1,
  isTest: false,
  isAnonymous: false,
  hasContact: false,
  distributorId: "",
  startedAt: now,
  lastSeenAt: now,
  completedAt: null,
  exactStartedAt: null,
  exactSeenAt: null,
  pageId: "",
  language: "",
  fields: {},
  answerWeight: 0,
  answers: new Map(elements.map(({ elementId }) => [elementId, { value: 3, meta: null, submittedAt: now }])),
});

const version = { versionId: "v", versionNumber: 1, definition };
const settings = settingsWithDefaults({});
const submitting = { version, settings, timeZone: "UTC", now, files: noFiles };
const counting = { definition, timeZone: "UTC", sign: 1, anonymousMilliseconds: 0 } as const;
const changes = () => new BatchChanges();

// A generator yields so that other work can run once its time slice is used up (packages/fairness).
test.each<[string, Generator]>([
  [
    "a submission",
    applySubmission(
      { ...startedRespondent(), answers: new Map() },
      { respondentId: "r", responses },
      submitting,
      changes(),
    ),
  ],
  ["showing a respondent", currentAnswerMessages(startedRespondent(), definition)],
  ["counting a respondent", countRespondent(startedRespondent(), counting, changes())],
  ["erasing answers", erasePersonalAnswers(startedRespondent(), definition, changes())],
])("%s of 500 answers pauses at each", (_what, work) => {
  expect([...work].length).toBeGreaterThanOrEqual(count);
});
