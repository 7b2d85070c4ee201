import { afterAll, beforeAll, describe } from "vitest";
import { testAnyShots } from "./any-input/any-shots.ts";
import { testDocumentedRequests } from "./any-input/documented-requests.ts";
import { startPreparedSystem, stopPreparedSystem } from "./any-input/prepared-system.ts";

beforeAll(startPreparedSystem);
afterAll(stopPreparedSystem);

describe("what the document says", () => {
  testDocumentedRequests({ withBody: 60, others: 20 });
});

describe("whatever else is sent", () => {
  testAnyShots({ requests: 8_000, usingUp: 60 });
});
