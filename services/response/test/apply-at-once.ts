import { applySubmission, type AppliedSubmission } from "../src/domain/submissions/apply-submission.ts";

/** Applies a submission without pauses. */
export function applyAtOnce(...submission: Parameters<typeof applySubmission>): AppliedSubmission {
  const work = applySubmission(...submission);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
