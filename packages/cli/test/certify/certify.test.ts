import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import { cases } from "../../src/certify/cases/index.ts";
import { certify, type Certificate } from "../../src/certify/certify.ts";
import { secret, startReceiver, webhook, type Behaviour } from "./start-receiver.ts";
import { wrongReceivers } from "./wrong-receivers.ts";

/** Sends few events at once, and lets no time run out by itself. */
async function certifyBehaviour(behaviour: Behaviour): Promise<Certificate> {
  await using receiver = await startReceiver(behaviour);
  const { timeUp = new AbortController() } = behaviour;
  return await certify({ url: receiver.url, secret, deadline: () => timeUp.signal, burst: 12 });
}

const findings = ({ cases }: Certificate) => cases.filter(({ result }) => result === "finding");

describe.concurrent("a right receiver passes every case", () => {
  const svix = new SvixWebhook(secret);
  test.each<[string, Behaviour]>([
    ["standardwebhooks", { verify: (body, headers) => webhook.verify(body, headers) }],
    ["svix", { verify: (body, headers) => svix.verify(body, headers) }],
  ])("that verifies with %s", async (_library, behaviour) => {
    const certificate = await certifyBehaviour(behaviour);
    expect(findings(certificate)).toEqual([]);
    expect(certificate).toMatchObject({ passed: cases.length, findings: 0, skipped: 0 });
  });
});

describe.concurrent("a wrong receiver is found by its case", () => {
  test.each(wrongReceivers)("that %s", async (_fault, behaviour, expected, advice) => {
    const certificate = await certifyBehaviour(behaviour);
    expect(findings(certificate).map(({ name, answer }) => ({ name, answer }))).toEqual(
      expected.map((name) => ({ name, answer: expect.any(String) })),
    );
    expect(findings(certificate)[0]!.advice).toMatch(advice);
    expect(JSON.stringify(certificate)).not.toContain(secret.slice("whsec_".length));
  });
});

test("every case can fail", () => {
  const found = new Set([...wrongReceivers.flatMap(([, , names]) => names), "connection"]);
  expect(cases.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([]);
});

test("a case needs one that runs before it", () => {
  const names = cases.map(({ name }) => name);
  const late = cases.filter(({ needs }, index) => needs !== undefined && !names.slice(0, index).includes(needs));
  expect(late).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test("a case cites a section of the contract", async () => {
  const contract = await readFile(join(import.meta.dirname, "../../../../gateway/docs/contract.md"), "utf8");
  expect(cases.filter((each) => !contract.includes(`\n**${each.contract} `)).map(({ name }) => name)).toEqual([]);
});
