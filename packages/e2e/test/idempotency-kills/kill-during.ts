import { randomUUID } from "node:crypto";
import { waitFor } from "@canvass/testing";
import type { ApiClient } from "../../src/index.ts";
import type { KeyedWrite } from "../keyed-writes/keyed-operation.ts";
import { evaluateWrite, tryWrite, type SentWrite } from "./evaluate-write.ts";
import type { KillWorld, Subject } from "./kill-world.ts";

/** A write to hold after a number of its steps. */
export interface Plan {
  subject: Subject;
  api: ApiClient;
  steps: number;
}

/**
 * Sends the planned writes, holds each after its steps and kills a process. Then repeats each write until it has a
 * final response, and asserts that it happened once and that its replay is identical byte for byte. Returns the
 * number of held writes.
 */
export async function killDuring(world: KillWorld, plans: Plan[], victim: string): Promise<number> {
  const prepared = await Promise.all(plans.map(async (plan) => ({ plan, write: await prepareWrite(world, plan) })));
  const sent: (SentWrite & { plan: Plan })[] = [];
  // One write at a time in each database, all databases in parallel, so that no write is held until its deadline.
  const groups = Map.groupBy(prepared, ({ plan }) => plan.subject.operation.service);
  await Promise.all(
    [...groups.values()].map(async (group) => {
      for (const { plan, write } of group) sent.push({ plan, ...(await hold(world, plan, write, victim)) });
    }),
  );
  const held = sent.flatMap(({ point }) => point ?? []);
  if (held.length > 0) {
    await world.demo.system.kill(victim, "SIGKILL");
    for (const point of held) {
      if (victim === "gateway") point.release();
      else point.drop();
    }
    await world.demo.system.waitReady();
  }
  const evaluate = async (each: (typeof sent)[number]) => {
    if (!(await evaluateWrite(each, victim))) return [each.plan];
    world.made.set(each.where, each.write);
    const { subject, steps } = each.plan;
    if (each.point && victim !== "gateway") subject.points[steps] = each.point;
    return [];
  };
  // These did not happen: another process had not yet reconnected to the previously killed one.
  const again = (await Promise.all(sent.map(evaluate))).flat();
  return held.length + (again.length > 0 ? await killDuring(world, again, victim) : 0);
}

function prepareWrite({ databases, demo }: KillWorld, { subject: { operation }, api }: Plan): Promise<KeyedWrite> {
  const prepare = () => operation.prepare({ api, databases, receiver: demo.receiver });
  return waitFor(prepare, { describe: `${operation.name} to be prepared`, timeoutMs: 60_000 });
}

/** Sends a write with its key as request id. Resolves when the write is held or has a response. */
async function hold(
  { gate }: KillWorld,
  { subject: { operation }, api, steps }: Plan,
  write: KeyedWrite,
  victim: string,
): Promise<SentWrite> {
  const key = randomUUID();
  const armed = gate.arm(`canvass_${operation.service}`, steps);
  const answer = tryWrite(api, { ...write, headers: { ...write.headers, "x-request-id": key } }, key);
  const point = await Promise.race([armed.held, answer.then(() => undefined)]);
  armed.disarm();
  return { api, where: `${operation.name}, ${victim} killed after ${steps} steps`, write, key, answer, point };
}
