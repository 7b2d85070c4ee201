import type { SurveyDefinition } from "@canvass/questions";
import type { Submitted } from "./submit-samples.ts";

export type FillCounts = {
  /** Stored ones: with `quotaFull` and `failed` all that were sent. */
  respondents: number;
  completed: number;
  /** Ended by a full quota. */
  screenedOut: number;
  /** Refused by a full quota. */
  quotaFull: number;
  answers: number;
  /** Stored respondents by language. */
  languages: Record<string, number>;
  /** Respondents that a full quota ended or refused, by its name. */
  fullQuotas: Record<string, number>;
  /** Respondents that left where no sample was valid, by the name or the id of the element. */
  stuckAt: Record<string, number>;
  failed: number;
  /** The message of the API's first error; null without one. */
  refusal: string | null;
};

/** A full quota is an ordinary end. */
export function isRefused({ error }: Submitted): boolean {
  return error !== null && error.code !== "quota_full";
}

/** Counts what became of sample respondents. */
export class FillTally {
  respondents = 0;
  readonly #numbers = { completed: 0, screenedOut: 0, quotaFull: 0, answers: 0, failed: 0 };
  readonly #byName = {
    languages: new Map<string, number>(),
    fullQuotas: new Map<string, number>(),
    stuckAt: new Map<string, number>(),
  };
  readonly #names: ReadonlyMap<string, string>;
  #refusal: string | null = null;

  constructor({ pages }: SurveyDefinition) {
    const elements = pages.flatMap((page) => page.elements);
    this.#names = new Map(elements.map(({ elementId, name }) => [elementId, name ?? elementId]));
  }

  count(submitted: Submitted): void {
    const { respondent, error, screenedOutBy } = submitted;
    const numbers = this.#numbers;
    const fullQuota = screenedOutBy ?? (error?.code === "quota_full" ? error.details.name : undefined);
    if (fullQuota !== undefined) this.#add("fullQuotas", fullQuota);
    if (error) {
      if (isRefused(submitted)) {
        numbers.failed += 1;
        this.#refusal ??= `${error.message} ${error.suggestion}`.trim();
      } else numbers.quotaFull += 1;
      return;
    }
    this.respondents += 1;
    numbers.answers += respondent.answers;
    if (screenedOutBy !== null) numbers.screenedOut += 1;
    else numbers.completed += Number(respondent.completes);
    this.#add("languages", respondent.language);
    const { stuckAt } = respondent;
    if (stuckAt !== null) this.#add("stuckAt", this.#names.get(stuckAt) ?? stuckAt);
  }

  counts(): FillCounts {
    const { completed, screenedOut, quotaFull, answers, failed } = this.#numbers;
    const { languages, fullQuotas, stuckAt } = this.#byName;
    return {
      respondents: this.respondents,
      completed,
      screenedOut,
      quotaFull,
      answers,
      languages: Object.fromEntries(languages),
      fullQuotas: Object.fromEntries(fullQuotas),
      stuckAt: Object.fromEntries(stuckAt),
      failed,
      refusal: this.#refusal,
    };
  }

  #add(list: "languages" | "fullQuotas" | "stuckAt", name: string): void {
    const counts = this.#byName[list];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}
