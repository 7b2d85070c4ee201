import type { ServiceClients } from "../clients/service-clients.ts";
import { expect, test } from "vitest";
import { answerSubmitter } from "./answer-submitter.ts";

test("while the service hangs, submissions beyond 128 MiB are refused; once it fails, others are sent again", async () => {
  const hanging = Promise.withResolvers<void>();
  const batchSubmitAnswers = async () => {
    await hanging.promise;
    throw new Error("gone");
  };
  const submit = answerSubmitter({ responses: { batchSubmitAnswers } } as unknown as ServiceClients, 60_000);
  const submission = {
    workspaceId: "w",
    caller: "c",
    surveyId: "s",
    requestId: "r",
    bodyJson: "x".repeat(1024 * 1024),
  };
  const waiting = Array.from({ length: 128 }, () => submit(submission));
  const settled = Promise.allSettled(waiting);
  await expect(submit({ ...submission, bodyJson: "x" })).rejects.toMatchObject({ code: "service_unavailable" });
  hanging.resolve();
  await settled;
  await expect(submit(submission)).rejects.toThrow("gone");
});

test("large submissions share no call with others, and workspaces are served round robin", async () => {
  const calls: { ids: string[]; end: () => void }[] = [];
  const batchSubmitAnswers = async ({ submissions }: { submissions: { surveyId: string }[] }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    calls.push({ ids: submissions.map(({ surveyId }) => surveyId), end: resolve });
    await promise;
    return { results: submissions.map(() => ({ outcome: { case: "submitted", value: {} } })) };
  };
  const submit = answerSubmitter({ responses: { batchSubmitAnswers } } as unknown as ServiceClients, 60_000);
  const call = (surveyId: string, length: number) =>
    submit({ workspaceId: surveyId[0]!, caller: "c", surveyId, requestId: "r", bodyJson: "x".repeat(length) });
  const large = 200 * 1024;
  const all = [
    call("a1", large),
    call("a2", large),
    call("a3", large),
    call("b1", large),
    call("c1", 100),
    call("c2", 100),
  ];
  for (let ended = 0; ended < 5; ended += 1) {
    await expect.poll(() => calls.length).toBeGreaterThan(ended);
    calls[ended]!.end();
  }
  await Promise.all(all);
  const light = calls.findIndex(({ ids }) => ids.includes("c1"));
  expect(calls[light]!.ids).toEqual(["c1", "c2"]);
  expect(light).toBeLessThan(2);
  expect(calls.filter((_, index) => index !== light).map(({ ids }) => ids)).toEqual([["a1"], ["b1"], ["a2"], ["a3"]]);
});

test("submissions that wait for their survey are sent again by workspace, and delay no others", async () => {
  const late = Promise.withResolvers<void>();
  const sent: string[][] = [];
  const batchSubmitAnswers = async (request: { submissions: { surveyId: string }[]; withoutLate: boolean }) => {
    sent.push(request.submissions.map(({ surveyId }) => surveyId));
    const isLate = (surveyId: string) => surveyId.startsWith("late");
    if (!request.withoutLate) await late.promise;
    return {
      results: request.submissions.map(({ surveyId }) =>
        request.withoutLate && isLate(surveyId)
          ? { leftOut: true, outcome: { case: undefined } }
          : { leftOut: false, outcome: { case: "submitted", value: surveyId } },
      ),
    };
  };
  const submit = answerSubmitter({ responses: { batchSubmitAnswers } } as unknown as ServiceClients, 60_000);
  const all = ["late1", "other", "late2", "late1"].map((surveyId) =>
    submit({ workspaceId: surveyId.at(-1)!, caller: "c", surveyId, requestId: "r", bodyJson: "{}" }),
  );
  expect(await all[1]).toEqual({ submitted: "other" });
  const next = submit({ workspaceId: "w", caller: "c", surveyId: "other", requestId: "r", bodyJson: "{}" });
  expect(await next).toEqual({ submitted: "other" });
  late.resolve();
  expect(await Promise.all(all)).toEqual(["late1", "other", "late2", "late1"].map((submitted) => ({ submitted })));
  expect(sent.slice(0, 1)).toEqual([["late1", "other", "late2", "late1"]]);
  expect(sent).toEqual(expect.arrayContaining([["late1", "late1"], ["late2"], ["other"]]));
});
