import { setTimeout as delay } from "node:timers/promises";
import { serviceNames } from "@canvass/processes";
import {
  deleteConsumers,
  deleteStream,
  publishUnstorable,
  publishUnparsable,
  rebuildStream,
  wipeStore,
} from "./bus-faults.ts";
import { stormDatabase } from "./connection-storm.ts";
import type { FaultWorld } from "./fault-world.ts";

interface Fault {
  targets: readonly string[];
  /** Minimum and maximum duration in milliseconds. */
  holdMs: readonly [number, number];
  /** Resolves when the fault ends, which may be before the system has recovered. */
  strike: (world: FaultWorld, target: string, holdMs: number) => Promise<void>;
}

/** A delivery process beside the system's own. */
export const SECOND_DELIVERY = "delivery-2";
const programs = ["gateway", ...serviceNames, SECOND_DELIVERY];
const at = (target: string) => ({ targets: [target] });
const moment = [0, 0] as const;

async function whileStopped({ processes }: FaultWorld, name: string, work: () => Promise<unknown>): Promise<void> {
  await processes.stop(name);
  try {
    await work();
  } finally {
    await processes.start(name);
  }
}

const freeze: Fault["strike"] = async ({ processes }, name, holdMs) => {
  await processes.kill(name, "SIGSTOP");
  await delay(holdMs);
  await processes.kill(name, "SIGCONT");
};

const troubles: Readonly<Record<string, 500 | "hang" | "close" | "refuse">> = {
  "they answer 500": 500,
  "they hang": "hang",
  "they break connections": "close",
  "they refuse connections": "refuse",
};

const troubleReceivers: Fault["strike"] = async ({ receivers }, target, holdMs) => {
  const answer = troubles[target]!;
  if (answer === "refuse") await receivers.link.cut();
  else receivers.trouble(answer);
  await delay(holdMs);
  if (answer === "refuse") await receivers.link.repair();
  else receivers.trouble(undefined);
};

const kinds = {
  "kill -9": {
    targets: [...programs, "nats", "postgres"],
    holdMs: moment,
    strike: ({ processes }, name) => processes.kill(name, "SIGKILL"),
  },
  SIGTERM: { targets: programs, holdMs: moment, strike: ({ processes }, name) => processes.kill(name, "SIGTERM") },
  away: {
    targets: programs,
    holdMs: [500, 6000],
    strike: (world, name, holdMs) => whileStopped(world, name, () => delay(holdMs)),
  },
  frozen: { targets: [...programs, "nats"], holdMs: [1000, 6000], strike: freeze },
  "frozen past its leases": { targets: ["delivery", SECOND_DELIVERY], holdMs: [21_000, 25_000], strike: freeze },
  "database restarted": {
    ...at("postgres"),
    holdMs: [0, 4000],
    strike: (world, name, holdMs) => whileStopped(world, name, () => delay(holdMs)),
  },
  "connection storm": {
    ...at("postgres"),
    holdMs: [2000, 6000],
    strike: ({ system }, _target, holdMs) => stormDatabase(system.local.databaseUrl, holdMs),
  },
  "NATS away": {
    ...at("nats"),
    holdMs: [3000, 18_000],
    strike: (world, name, holdMs) => whileStopped(world, name, () => delay(holdMs)),
  },
  "NATS' store wiped": {
    ...at("nats"),
    holdMs: moment,
    strike: (world, name) => whileStopped(world, name, () => wipeStore(world)),
  },
  "stream rebuilt, consumers ahead": {
    ...at("nats"),
    holdMs: moment,
    strike: (world, name) => whileStopped(world, name, () => rebuildStream(world)),
  },
  "stream deleted": { ...at("nats"), holdMs: moment, strike: deleteStream },
  "consumers deleted": { ...at("nats"), holdMs: moment, strike: deleteConsumers },
  "rubbish on the stream": { ...at("nats"), holdMs: moment, strike: publishUnparsable },
  "poison on the stream": { ...at("nats"), holdMs: moment, strike: publishUnstorable },
  "receivers in trouble": { targets: Object.keys(troubles), holdMs: [2000, 6000], strike: troubleReceivers },
} satisfies Record<string, Fault>;

export type FaultKind = keyof typeof kinds;

/** All faults. The system recovers from each without intervention. */
export const faultKinds: Readonly<Record<FaultKind, Fault>> = kinds;
