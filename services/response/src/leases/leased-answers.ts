import { AppError } from "@canvass/errors";
import { mostBatchItems } from "@canvass/inputs";
import { createBatcher } from "@canvass/rpc";
import { createLastKnown, type Known, type LastKnown } from "./last-known.ts";

export interface LeasedAnswersOptions<Ref, Value> {
  /** One call for many; values, or errors of single questions, in the order of the references. */
  ask: (refs: Ref[]) => Promise<{ values: (Value | AppError)[]; leaseMs: number }>;
  keyOf: (ref: Ref) => string;
  /** What is absent may be created at any moment, and creating waits for no lease: it is asked about each time. */
  isFound: (value: Value) => boolean;
  /** Other questions that the answer to one answers, too. */
  alsoTells?: (ref: Ref, value: Value) => { ref: Ref; value: Value }[];
}

/** The part of a lease after which its next use asks for another. */
const renewAfter = 0.6;
/** The last known state serves for ten minutes, so that a restart of the other service loses no answers. */
const standIn = { maxEntries: 50_000, staleForMs: 10 * 60 * 1000, patienceMs: 1_500, awayPatienceMs: 50 };

/**
 * Answers of another service that hold for one lease each, counted from the question: a change is answered there only when
 * all leases have ended. While that service takes longer than 1.5 seconds or is away, its last answer is used.
 */
export function createLeasedAnswers<Ref, Value>({
  ask,
  keyOf,
  isFound,
  alsoTells,
}: LeasedAnswersOptions<Ref, Value>): LastKnown<Ref, Value> {
  const askTogether = createBatcher<Ref, Known<Value> | AppError>({
    maxSize: mostBatchItems,
    maxInFlight: 2,
    send: async (refs) => {
      // Questions of one moment are about few things: each is asked about once.
      const distinct = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
      const askedAt = performance.now();
      const { values, leaseMs } = await ask(distinct);
      const renewFrom = askedAt + leaseMs * renewAfter;
      const known = new Map<string, Known<Value> | AppError>(
        distinct.map((ref, index) => {
          const value = values[index]!;
          if (value instanceof AppError) return [keyOf(ref), value];
          const until = isFound(value) ? askedAt + leaseMs : 0;
          const others = isFound(value) ? alsoTells?.(ref, value) : undefined;
          for (const other of others ?? []) find.learn(other.ref, { value: other.value, until, renewFrom });
          return [keyOf(ref), { value, until, renewFrom }];
        }),
      );
      return refs.map((ref) => known.get(keyOf(ref))!);
    },
  });
  async function askForOne(ref: Ref): Promise<Known<Value>> {
    const answer = await askTogether(ref);
    if (answer instanceof AppError) throw answer;
    return answer;
  }
  const find = createLastKnown(askForOne, keyOf, standIn);
  return find;
}
