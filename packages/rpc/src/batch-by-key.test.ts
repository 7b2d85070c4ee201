import { expect, test } from "vitest";
import { batchByKey } from "./batch-by-key.ts";

test("each key has a batcher of its own while something waits for it, and a new one afterwards", async () => {
  const made: string[] = [];
  const answers = new Map<string, PromiseWithResolvers<string>>();
  const ask = batchByKey(
    (item: string) => item[0]!,
    (key) => {
      made.push(key);
      return (item) => {
        const answer = Promise.withResolvers<string>();
        answers.set(item, answer);
        return answer.promise;
      };
    },
  );
  const all = [ask("a1"), ask("b1"), ask("a2")];
  expect(made).toEqual(["a", "b"]);
  answers.get("a1")!.resolve("one");
  answers.get("b1")!.reject(new Error("away"));
  expect(await all[0]).toBe("one");
  await expect(all[1]).rejects.toThrow("away");
  all.push(ask("a3"), ask("b2"));
  expect(made).toEqual(["a", "b", "b"]);
  for (const item of ["a2", "a3", "b2"]) answers.get(item)!.resolve(item);
  expect(await Promise.all([all[2], all[3], all[4]])).toEqual(["a2", "a3", "b2"]);
});
