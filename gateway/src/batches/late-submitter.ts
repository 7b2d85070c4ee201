interface Late<Item, Result> {
  submit: (item: Item) => Promise<Result>;
  waiting: number;
}

/**
 * Sends again what a batch left out, apart from everything else: each survey has batches of its own, so those that wait
 * for one survey keep no others waiting.
 */
export function createLateSubmitter<Item extends { surveyId: string }, Result>(
  createSubmitter: () => (item: Item) => Promise<Result>,
): (item: Item) => Promise<Result> {
  const bySurvey = new Map<string, Late<Item, Result>>();
  return async (item) => {
    const late = bySurvey.get(item.surveyId) ?? { submit: createSubmitter(), waiting: 0 };
    bySurvey.set(item.surveyId, late);
    late.waiting += 1;
    try {
      return await late.submit(item);
    } finally {
      late.waiting -= 1;
      if (late.waiting === 0) bySurvey.delete(item.surveyId);
    }
  };
}
