import { fromBinary } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { createYielder } from "@canvass/fairness";
import { SubmittedAnswersSchema, type FullQuota, type SubmittedAnswers } from "@canvass/proto/response";
import type { ResponseContext } from "../../context.ts";
import { batchOpener, type Batch, type OwnItem } from "./open-batch.ts";
import { isLate, storeOpened } from "./store-in-rounds.ts";
import type { SubmissionOutcome } from "./store-submissions.ts";

export interface ItemResult {
  respondentId: string;
  error?: AppError;
  quotaFull?: FullQuota;
  ignored?: number;
}

/** Limits of one commit, so that it holds locks no longer than a large submission does. */
const mostAtOnce = 100;
const mostAnswersAtOnce = 500;
/** A refused submission counts as this many answers, because it may have as many violations. */
const refusedWeight = 50;

/** Stores a batch in several commits, so that others can save in between. A retry finds stored items by their keys. */
export async function storeBatch<Kept>(
  context: ResponseContext,
  batch: Batch,
  inputs: readonly unknown[],
  keep: (result: ItemResult) => Kept,
): Promise<Kept[]> {
  const yieldIfDue = createYielder();
  const open = batchOpener(batch);
  const results = new Map<number, Kept>();
  const same = new Map<number, number>();
  let part = new Map<number, OwnItem>();
  let weight = 0;
  const storePart = async () => {
    for (const [index, result] of await storeItems(context, part, batch.requestId)) {
      await yieldIfDue();
      results.set(index, keep(result));
    }
    part = new Map();
    weight = 0;
  };
  for (const [index, input] of inputs.entries()) {
    await yieldIfDue();
    const item = await open(input, index);
    if ("sameAs" in item) same.set(index, item.sameAs);
    else {
      const added = weightOf(item);
      if (part.size === mostAtOnce || (part.size > 0 && weight + added > mostAnswersAtOnce)) await storePart();
      part.set(index, item);
      weight += added;
    }
  }
  await storePart();
  return inputs.map((_, index) => results.get(same.get(index) ?? index)!);
}

function weightOf({ opened }: OwnItem): number {
  return opened instanceof AppError
    ? refusedWeight
    : opened.body.responses.length + (opened.body.violations?.length ?? 0);
}

async function storeItems(
  context: ResponseContext,
  items: ReadonlyMap<number, OwnItem>,
  requestId: string,
): Promise<[number, ItemResult][]> {
  const outcomes = await storeOpened(context, [...items.values()], { requestId });
  return [...items].map(([index, { respondentId }], at) => [index, toResult(outcomes[at]!, respondentId)]);
}

function toResult(outcome: SubmissionOutcome, respondentId: string): ItemResult {
  if (outcome instanceof AppError) return { respondentId, error: outcome };
  if (isLate(outcome)) return { respondentId, error: new AppError("internal_error") };
  return resultOf(outcome.replay ? fromBinary(SubmittedAnswersSchema, outcome.replay.response) : outcome.submitted);
}

function resultOf({ respondentId, quotaFull, ignored }: SubmittedAnswers): ItemResult {
  return { respondentId, ignored, ...(quotaFull && { quotaFull }) };
}
