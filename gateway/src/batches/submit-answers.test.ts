import type { Services } from "../services.ts";
import { expect, test } from "vitest";
import { answerSubmitter } from "./submit-answers.ts";

test("a service that hangs does not fill the memory: what is too much is refused, and room comes back", async () => {
  const hanging = Promise.withResolvers<void>();
  const batchSubmitAnswers = async () => {
    await hanging.promise;
    throw new Error("gone");
  };
  const submit = answerSubmitter({ responses: { batchSubmitAnswers } } as unknown as Services, 60_000);
  const submission = { caller: "c", surveyId: "s", requestId: "r", bodyJson: "x".repeat(1024 * 1024) };
  const waiting = Array.from({ length: 128 }, () => submit(submission));
  const settled = Promise.allSettled(waiting);
  await expect(submit({ ...submission, bodyJson: "x" })).rejects.toMatchObject({ code: "service_unavailable" });
  hanging.resolve();
  await settled;
  await expect(submit(submission)).rejects.toThrow("gone");
});
