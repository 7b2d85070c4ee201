import { LinkService } from "@canvass/proto/distribution-links";
import { createRpcClient } from "@canvass/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newWorkspace, refusal, startDistribution, surveyId, type Distribution } from "./distribution-fixture.ts";

let system: Distribution;
beforeAll(async () => void (system = await startDistribution()));
afterAll(() => system[Symbol.asyncDispose]());

const byCode = (value: string) => ({ by: { case: "code" as const, value } });
const byDistributor = (workspaceId: string, distributorId: string) => ({
  by: { case: "distributor" as const, value: { workspaceId, distributorId } },
});

test("links are returned in the order of the request, with their collecting state", async () => {
  const w = newWorkspace();
  const settings = {
    opensAt: "2026-02-01T00:00:00Z",
    responseLimit: 3,
    password: "sesame",
    closedMessage: "Gone",
    allowedOrigins: ["https://example.com"],
  };
  const one = await system.createActive(w, { settings });
  const two = await system.create(w, { type: "embed" });
  const asked = [
    byCode(two.code),
    byCode("no code"),
    byDistributor(w, one.distributorId),
    byCode("0".repeat(22)),
    byDistributor(newWorkspace(), one.distributorId),
    byDistributor(w, "a\0b"),
    byCode(two.code),
    {},
  ];
  const { links } = await system.links.batchGetLinks({ links: asked });
  expect(links.map(({ distributorId }) => distributorId)).toEqual([
    two.distributorId,
    "",
    one.distributorId,
    "",
    "",
    "",
    two.distributorId,
    "",
  ]);
  expect(links[0]).toMatchObject({ found: true, workspaceId: w, surveyId, type: "embed", status: "draft", linkId: "" });
  expect(links[1]).toMatchObject({ found: false, workspaceId: "" });
  expect(links[2]).toMatchObject({
    type: "link",
    status: "active",
    hasPassword: true,
    responseLimit: 3n,
    closedMessage: "Gone",
    allowMultiple: false,
    allowedOrigins: ["https://example.com"],
    timeZone: "Europe/Berlin",
    contactId: "",
  });
  expect(links[2]!.opensAt).toBeDefined();
  expect(links[2]!.closesAt).toBeUndefined();
});

test("a pause is visible at once to all readers", async () => {
  const w = newWorkspace();
  const { distributorId, code } = await system.createActive(w);
  expect((await system.linkOf(code)).status).toBe("active");
  await system.move(w, distributorId, "pause");
  expect((await system.linkOf(code)).status).toBe("paused");
});

test("only peers may call the service for links, and a batch has at most 500", async () => {
  await using unauthenticated = createRpcClient(LinkService, { url: system.url });
  const as = system.as(newWorkspace());
  expect(await refusal(unauthenticated.batchGetLinks({}, as))).toMatchObject({ code: "unauthorized" });
  expect(await refusal(unauthenticated.checkLinkPassword({}, as))).toMatchObject({ code: "unauthorized" });
  expect(await refusal(unauthenticated.batchCountOpened({}, as))).toMatchObject({ code: "unauthorized" });
  const links = Array.from({ length: 501 }, () => byCode("x"));
  expect((await refusal(system.links.batchGetLinks({ links }))).code).toBe("invalid_request");
});

test("guesses at the links of one workspace do not block those of another", async () => {
  const [attacked, other] = [newWorkspace(), newWorkspace()];
  const settings = { password: "sesame" };
  const [{ distributorId: guessed }, { distributorId }] = [
    await system.createActive(attacked, { settings }),
    await system.createActive(other, { settings }),
  ];
  const guesses = Array.from({ length: 120 }, (_, guess) =>
    system.links.checkLinkPassword({ workspaceId: attacked, distributorId: guessed, password: `guess ${guess}` }),
  );
  const settled = Promise.allSettled(guesses);
  const own = await system.links.checkLinkPassword({ workspaceId: other, distributorId, password: "sesame" });
  expect(own.matches).toBe(true);
  const refused = (await settled).flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []));
  expect(new Set(refused)).toEqual(new Set(["service_unavailable"]));
});

test("a password is checked here, and its hash stays here", async () => {
  const w = newWorkspace();
  const { distributorId } = await system.createActive(w, { settings: { password: "sesame" } });
  const open = await system.createActive(w);
  const check = async (id: string, password: string, workspaceId = w) =>
    (await system.links.checkLinkPassword({ workspaceId, distributorId: id, password })).matches;
  expect(await check(distributorId, "sesame")).toBe(true);
  expect(await check(distributorId, "Sesame")).toBe(false);
  expect(await check(distributorId, "")).toBe(false);
  expect(await check(distributorId, "sesame", newWorkspace())).toBe(false);
  expect(await check(open.distributorId, "anything")).toBe(true);
});
