import { openDatabase } from "@canvass/postgres";
import { createTestDatabase } from "@canvass/testing";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PrismaClient } from "../gen/prisma/client.ts";
import { deleteDisableRequest, findDisableRequest, findDisableRequests } from "../src/storage/disable-requests.ts";

const running = new AsyncDisposableStack();
let prisma: PrismaClient;

beforeAll(async () => {
  const { url } = running.use(await createTestDatabase(join(import.meta.dirname, "../prisma/migrations")));
  const database = openDatabase({
    url,
    poolSize: 2,
    applicationName: "disable-requests",
    createPrisma: (adapter) => new PrismaClient({ adapter }),
  });
  prisma = running.use(database).prisma;
});
afterAll(() => running.disposeAsync());
beforeEach(() => prisma.disableRequest.deleteMany());

const request = (subscriptionId: string, second: number, workspaceId = "workspace") => ({
  workspaceId,
  subscriptionId,
  reason: "gone",
  destinationRevision: 1,
  requestedAt: new Date(Date.UTC(2026, 2, 1, 12, 0, second, 123)),
});

test("the oldest come first, of every workspace", async () => {
  const [second, first, third] = [request("a", 2), request("b", 1, "another"), request("c", 3)];
  await prisma.disableRequest.createMany({ data: [second, first, third] });
  expect(await findDisableRequests(prisma, { last: undefined, limit: 2 })).toEqual([first, second]);
  expect(await findDisableRequests(prisma, { last: first, limit: 2 })).toEqual([second, third]);
});

test("a request that was renewed stays, and so does the one of another workspace", async () => {
  const [done, renewed, foreign] = [request("a", 1), request("a", 2), request("a", 1, "another")];
  await prisma.disableRequest.createMany({ data: [renewed, foreign] });
  await deleteDisableRequest(prisma, done);
  expect(await findDisableRequest(prisma, done)).toEqual(renewed);
  await deleteDisableRequest(prisma, renewed);
  expect(await findDisableRequest(prisma, done)).toBeNull();
  expect(await findDisableRequest(prisma, foreign)).toEqual(foreign);
});
