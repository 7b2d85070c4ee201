import { sqlFromPg } from "@canvass/postgres";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { findResumption, putIntervals } from "../src/storage/listening-intervals.ts";
import { later, openDeliveryTables } from "./delivery-tables.ts";

const tables = await sharedByFile(openDeliveryTables());

test.each<[what: string, intervals: [from: number, to: number | null][], resumedAt: number | undefined]>([
  ["was created", [[0, null]], 0],
  [
    "changed its event types",
    [
      [0, 10],
      [10, null],
    ],
    0,
  ],
  [
    "was paused and resumed",
    [
      [0, 10],
      [20, null],
    ],
    20,
  ],
  [
    "changed its event types after it was resumed",
    [
      [0, 10],
      [20, 30],
      [30, null],
    ],
    20,
  ],
  [
    "changed them at the moment of its resumption",
    [
      [0, 10],
      [20, 20],
      [20, null],
    ],
    20,
  ],
  [
    "was paused for no time",
    [
      [0, 10],
      [10, null],
    ],
    0,
  ],
  ["never listened", [], undefined],
])(
  "a webhook that %s: of its intervals %j, the last that continues no other begins at %s",
  async (what, intervals, at) => {
    const sql = sqlFromPg(tables.pool);
    const endpoint = { workspaceId: "w", subscriptionId: what };
    const all = [
      ...intervals.map((each) => ({ ...endpoint, each })),
      { ...endpoint, subscriptionId: "other", each: [90, null] as const },
    ];
    await putIntervals(
      sql,
      all.map(({ each: [from, to], ...owner }, index) => ({
        ...owner,
        intervalId: `${what} ${index}`,
        eventTypes: ["response.completed"],
        startedAt: later(from),
        endedAt: to === null ? null : later(to),
      })),
    );
    expect(await findResumption(sql, endpoint)).toEqual(at === undefined ? undefined : later(at));
  },
);
