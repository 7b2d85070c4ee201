import { afterAll, beforeAll, describe } from "vitest";
import { anyShots } from "./any-input/any-shots.ts";
import { documentedRequests } from "./any-input/documented-requests.ts";
import { startPreparedSystem, stopPreparedSystem, withPrepared } from "./any-input/prepared-system.ts";

beforeAll(startPreparedSystem);
afterAll(stopPreparedSystem);

describe("what the document says", () => {
  documentedRequests({ withBody: 60, others: 20, some: (all) => all, prepare: withPrepared });
});

describe("whatever else is sent", () => {
  anyShots({ requests: 8_000, usingUp: 60, prepare: withPrepared });
});
