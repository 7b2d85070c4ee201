import type { HttpApi } from "../http-api/http-api.ts";
import type { SampleSubmissions } from "./sample-submissions.ts";

type ItemError = { code: string; message: string; suggestion: string; retryable: boolean };
type Outcome = { respondentId: string | null; error: ItemError | null };

export type Submitted = { respondent: SampleSubmissions; error: ItemError | null };

const mostRounds = 5;

/** The first submission of each respondent starts it, the others name its id. */
export async function submitSamples(
  api: HttpApi,
  surveyId: string,
  batch: readonly SampleSubmissions[],
  stop: AbortSignal,
): Promise<Submitted[]> {
  const people = batch.map((respondent) => ({
    respondent,
    respondentId: undefined as string | undefined,
    error: null as ItemError | null,
  }));
  const longest = Math.max(...batch.map(({ submissions }) => submissions.length));
  for (let part = 0; part < longest; part++) {
    let open = people.filter(({ respondent, error }) => error === null && part < respondent.submissions.length);
    for (let round = 1; open.length > 0; round++) {
      const submissions = open.map(({ respondent, respondentId }) => ({
        ...respondent.submissions[part]!,
        ...(respondentId !== undefined && { respondentId }),
      }));
      const path = `/response/surveys/${encodeURIComponent(surveyId)}/batch`;
      const answered = await api.post<{ submissions: Outcome[] }>(path, { submissions }, stop);
      for (const [index, person] of open.entries()) {
        const { respondentId, error } = answered.submissions[index]!;
        person.error = error;
        person.respondentId ??= respondentId ?? undefined;
      }
      // Idempotency keys make it safe to repeat the whole round.
      open = round < mostRounds ? open.filter(({ error }) => error?.retryable) : [];
    }
  }
  return people;
}
