import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newCaller, newTokenValue } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { createIdentityCache, membershipOf } from "./identity-cache.ts";
import type { Credential, Identity } from "../../batches/identity.ts";

const token = newTokenValue(true);
const start = Date.parse("2026-01-01T00:00:00Z");

function identityOf(tokenId: string, workspaceId = "w1", personId = "p1"): Identity {
  return {
    caller: newCaller({ tokenId, workspaceId, personId }),
    signedCaller: "signed",
    held: new Set(),
    permitted: new Set(),
  };
}

/** A cache whose look-ups wait until the test settles them. */
function cacheUnderTest(options: { maxEntries?: number } = {}) {
  const clock = {
    now: start,
    elapsed: 0,
    pass(ms: number) {
      clock.now += ms;
      clock.elapsed += ms;
    },
  };
  const asked: { credential: Credential; answer: PromiseWithResolvers<Identity> }[] = [];
  const cache = createIdentityCache({
    ...options,
    now: () => new Date(clock.now),
    elapsed: () => clock.elapsed,
    lookUp: (credential) => {
      const answer = Promise.withResolvers<Identity>();
      asked.push({ credential, answer });
      return answer.promise;
    },
  });
  return { clock, asked, ...cache };
}

test("a mistyped token is refused without a look-up", () => {
  const { identify, asked } = cacheUnderTest();
  const typo = token.slice(0, -1) + (token.endsWith("a") ? "b" : "a");
  for (const text of [typo, "", "secret", token.replace("live", "lite"), `${token}0`]) {
    expect(() => identify(text, "")).toThrow(expect.objectContaining({ code: "invalid_token" }));
  }
  expect(asked).toEqual([]);
});

test("concurrent misses share one look-up, and a found entry is used until it is ten seconds old", async () => {
  const { identify, asked, clock } = cacheUnderTest();
  const [first, second] = [identify(token, ""), identify(token, "")];
  expect(asked).toHaveLength(1);
  expect(asked[0]!.credential.tokenSha256).toHaveLength(32);
  const identity = identityOf("t1");
  asked[0]!.answer.resolve(identity);
  expect([await first, await second]).toEqual([identity, identity]);
  clock.pass(9_999);
  expect(identify(token, "")).toBe(identity);
  clock.pass(1);
  expect(identify(token, "")).toBeInstanceOf(Promise);
  expect(asked).toHaveLength(2);
});

test("an identity is cached until its token expires, at most ten seconds after the look-up", async () => {
  const { identify, asked, clock } = cacheUnderTest();
  const dying = identityOf("t1");
  dying.caller.expiresAt = timestampFromDate(new Date(start + 3_000));
  const first = identify(token, "");
  asked[0]!.answer.resolve(dying);
  await first;
  clock.pass(2_999);
  expect(identify(token, "")).toBe(dying);
  clock.pass(1);
  const second = identify(token, "");
  clock.pass(4_000);
  const slowlyEvaluated = identityOf("t1");
  asked[1]!.answer.resolve(slowlyEvaluated);
  await second;
  clock.pass(5_999);
  expect(identify(token, "")).toBe(slowlyEvaluated);
  clock.pass(1);
  expect(identify(token, "")).toBeInstanceOf(Promise);
});

test("a clock that is set back keeps no identity longer, and one that is set forward none beyond its token", async () => {
  const { identify, asked, clock } = cacheUnderTest();
  const expiring = identityOf("t1");
  expiring.caller.expiresAt = timestampFromDate(new Date(start + 60_000));
  const first = identify(token, "");
  asked[0]!.answer.resolve(expiring);
  await first;
  clock.now -= 3_600_000;
  clock.elapsed += 9_999;
  expect(identify(token, "")).toBe(expiring);
  clock.elapsed += 1;
  const second = identify(token, "");
  asked[1]!.answer.resolve(expiring);
  await second;
  clock.now = start + 60_000;
  expect(identify(token, "")).toBeInstanceOf(Promise);
});

test("a refusal ends in time although the clock is set back", async () => {
  const { identify, asked, clock } = cacheUnderTest();
  const refused = identify(token, "");
  asked[0]!.answer.reject(new AppError("invalid_token"));
  await expect(refused).rejects.toMatchObject({ code: "invalid_token" });
  clock.now -= 3_600_000;
  clock.elapsed += 2_000;
  expect(identify(token, "")).toBeInstanceOf(Promise);
});

test("each workspace of a token is looked up for itself", async () => {
  const { identify, asked } = cacheUnderTest();
  void identify(token, "");
  void identify(token, "workspace0000000");
  expect(asked.map(({ credential }) => credential.workspaceId)).toEqual(["", "workspace0000000"]);
});

test("a refusal is kept for a short while, an outage not at all", async () => {
  const { identify, asked, clock } = cacheUnderTest();
  const refused = identify(token, "");
  asked[0]!.answer.reject(new AppError("token_expired"));
  await expect(refused).rejects.toMatchObject({ code: "token_expired" });
  expect(() => identify(token, "")).toThrow(expect.objectContaining({ code: "token_expired" }));
  clock.pass(2_000);
  const down = identify(token, "");
  asked[1]!.answer.reject(new AppError("service_unavailable"));
  await expect(down).rejects.toMatchObject({ code: "service_unavailable" });
  void identify(token, "");
  expect(asked).toHaveLength(3);
});

test("a forgotten token is asked for again, in every workspace; others stay", async () => {
  const { identify, asked, forget } = cacheUnderTest();
  const other = newTokenValue(false);
  const questions = [
    [token, ""],
    [token, "workspace0000000"],
    [other, ""],
  ] as const;
  const answers = questions.map(([value, workspace]) => identify(value, workspace));
  asked.forEach(({ answer }, index) => answer.resolve(identityOf(index < 2 ? "t1" : "t2")));
  await Promise.all(answers.map(async (answer) => answer));
  forget("t1");
  expect(questions.map(([value, workspace]) => identify(value, workspace) instanceof Promise)).toEqual([
    true,
    true,
    false,
  ]);
});

test("a look-up that was under way when the token was forgotten is repeated", async () => {
  const { identify, asked, forget } = cacheUnderTest();
  const answer = identify(token, "");
  forget("t1");
  asked[0]!.answer.resolve(identityOf("t1"));
  await expect.poll(() => asked.length).toBe(2);
  asked[1]!.answer.reject(new AppError("invalid_token"));
  await expect(answer).rejects.toMatchObject({ code: "invalid_token" });
});

test("forgetting an evicted identity does no harm, and a cached one is asked for again", async () => {
  const { identify, asked, forget } = cacheUnderTest({ maxEntries: 2 });
  for (let count = 0; count < 5; count += 1) {
    const answer = identify(newTokenValue(true), "");
    asked[count]!.answer.resolve(identityOf(`t${count}`));
    await answer;
  }
  const last = identify(token, "");
  asked[5]!.answer.resolve(identityOf("t5"));
  await last;
  for (const id of ["t0", "t1", "t5"]) forget(id);
  expect(identify(token, "")).toBeInstanceOf(Promise);
});

test("identities that depend on a changed role or workspace are forgotten, others stay", async () => {
  const { identify, asked, forget } = cacheUnderTest();
  const kept = [
    { value: newTokenValue(true), of: identityOf("t1", "w1", "p1") },
    { value: newTokenValue(true), of: identityOf("t2", "w1", "p2") },
    { value: newTokenValue(true), of: identityOf("t3", "w2", "p1") },
  ];
  const isKept = async () => {
    const now = kept.map(({ value }) => identify(value, ""));
    const known = now.map((answer) => !(answer instanceof Promise));
    for (const { answer, credential } of asked.splice(0)) {
      const sha256 = (value: string) => hash("sha256", value, "base64");
      const found = kept.find(({ value }) => sha256(value) === Buffer.from(credential.tokenSha256).toString("base64"));
      answer.resolve(found!.of);
    }
    for (const answer of now) await answer;
    return known;
  };
  expect(await isKept()).toEqual([false, false, false]);
  expect(await isKept()).toEqual([true, true, true]);
  forget(membershipOf({ workspaceId: "w1", personId: "p1" }));
  expect(await isKept()).toEqual([false, true, true]);
  forget("w1");
  expect(await isKept()).toEqual([false, false, true]);
});

test("a look-up that was under way when the workspace changed is repeated", async () => {
  const { identify, asked, forget } = cacheUnderTest();
  const answer = identify(token, "");
  forget("w1");
  asked[0]!.answer.resolve(identityOf("t1"));
  await expect.poll(() => asked.length).toBe(2);
  const current = identityOf("t1");
  asked[1]!.answer.resolve(current);
  expect(await answer).toBe(current);
});
