import { afterAll, beforeAll, describe } from "vitest";
import { testAnyShots } from "./any-input/any-shots.ts";
import { testDocumentedRequests } from "./any-input/documented-requests.ts";
import { startPreparedSystem, stopPreparedSystem, withPrepared } from "./any-input/prepared-system.ts";

beforeAll(startPreparedSystem);
afterAll(stopPreparedSystem);

describe("what the document says", () => {
  testDocumentedRequests({ withBody: 60, others: 20, some: (all) => all, prepare: withPrepared });
});

describe("whatever else is sent", () => {
  testAnyShots({ requests: 8_000, usingUp: 60 });
});
