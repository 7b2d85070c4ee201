import type { HttpApi } from "../http-api/http-api.ts";
import type { SampleSubmissions } from "./sample-submissions.ts";

type FullQuota = { name: string; onFull: "close" | "message" | "end" };
type ItemError = {
  code: string;
  message: string;
  suggestion: string;
  retryable: boolean;
  details: { name?: string };
};
type Outcome = { respondentId: string | null; error: ItemError | null; quotaFull?: FullQuota };

export type Submitted = {
  respondent: SampleSubmissions;
  error: ItemError | null;
  /** Ended by a full quota of this name. */
  screenedOutBy: string | null;
};

const mostRounds = 5;

/** The first submission of each respondent starts it; the others name its id. */
export async function submitSamples(
  api: HttpApi,
  surveyId: string,
  batch: readonly SampleSubmissions[],
  stop: AbortSignal,
): Promise<Submitted[]> {
  const people = batch.map((respondent): Submitted & { respondentId: string | undefined } => ({
    respondent,
    respondentId: undefined,
    error: null,
    screenedOutBy: null,
  }));
  const longest = Math.max(...batch.map(({ submissions }) => submissions.length));
  for (let part = 0; part < longest; part++) {
    let open = people.filter(
      ({ respondent, error, screenedOutBy }) =>
        error === null && screenedOutBy === null && part < respondent.submissions.length,
    );
    for (let round = 1; open.length > 0; round++) {
      const submissions = open.map(({ respondent, respondentId }) => ({
        ...respondent.submissions[part]!,
        ...(respondentId !== undefined && { respondentId }),
      }));
      const path = `/response/surveys/${encodeURIComponent(surveyId)}/batch`;
      const answered = await api.post<{ submissions: Outcome[] }>(path, { submissions }, stop);
      for (const [index, person] of open.entries()) {
        const { respondentId, error, quotaFull } = answered.submissions[index]!;
        person.error = error;
        if (quotaFull?.onFull === "end") person.screenedOutBy = quotaFull.name;
        person.respondentId ??= respondentId ?? undefined;
      }
      // Idempotency keys make repeats safe.
      open = round < mostRounds ? open.filter(({ error }) => error?.retryable) : [];
    }
  }
  return people;
}
