import { connectBus, listenToNotices } from "@canvass/events";
import { tokenSha256 } from "@canvass/access";
import type { Event } from "@canvass/proto/events";
import { createLogger } from "@canvass/telemetry";
import { testNats, waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { codeOf, startTokenSystem } from "./token-system.ts";

test("revoking, rotating and changing a token notify every gateway; a refused change does not", async () => {
  await using nats = await testNats();
  await using bus = connectBus({
    url: nats.url,
    name: "gateway",
    log: createLogger({ service: "test", level: "silent" }),
  });
  await using system = await startTokenSystem({ natsUrl: nats.url });
  const notices: Event[] = [];
  using _ = listenToNotices(bus, "token.revoked", (event) => notices.push(event));
  const home = await system.createWorkspace();
  const options = await system.as(home.tokenValue);
  const create = () => system.peer.createToken({ name: "x" }, options);
  const expectNotice = async (tokenId: string, tokenValue: string) => {
    const { body, workspaceId } = await waitFor(() => notices.find((event) => idOf(event) === tokenId), {
      describe: "a notice",
    });
    expect(workspaceId).toBe(home.workspaceId);
    expect(Buffer.from(sha256Of(body)).equals(tokenSha256(tokenValue))).toBe(true);
  };
  // The listener may connect after the service.
  await waitFor(
    async () => {
      await system.peer.revokeToken({ tokenId: (await create()).token!.tokenId }, options);
      return notices.length > 0;
    },
    { describe: "the bus to be up" },
  );

  const revoked = await create();
  await system.peer.revokeToken({ tokenId: revoked.token!.tokenId }, options);
  await expectNotice(revoked.token!.tokenId, revoked.tokenValue);
  const rotated = await create();
  await system.peer.rotateToken({ tokenId: rotated.token!.tokenId }, options);
  await expectNotice(rotated.token!.tokenId, rotated.tokenValue);
  const changed = await create();
  const tokenId = changed.token!.tokenId;
  expect(await codeOf(system.peer.updateToken({ tokenId, name: "" }, options))).toBe("invalid_request");
  const last = await create();
  await system.peer.updateToken({ tokenId: last.token!.tokenId, name: "y" }, options);
  await expectNotice(last.token!.tokenId, last.tokenValue);
  expect(notices.map(idOf)).not.toContain(tokenId);
});

test("a new plan and a new role notify every gateway", async () => {
  await using nats = await testNats();
  const log = createLogger({ service: "test", level: "silent" });
  await using bus = connectBus({ url: nats.url, name: "gateway", log });
  await using system = await startTokenSystem({ natsUrl: nats.url });
  const notices: Event[] = [];
  using _plan = listenToNotices(bus, "workspace.plan_changed", (event) => notices.push(event));
  using _role = listenToNotices(bus, "membership.changed", (event) => notices.push(event));
  const { workspaceId, personId } = await system.createWorkspace();
  const second = await system.operator.addPerson({ workspaceId, name: "x", email: "x@example.com", role: "viewer" });
  let tries = 0;
  // The listener may connect after the service.
  await waitFor(
    async () => {
      tries += 1;
      await system.operator.setPlan({ workspaceId, plan: tries % 2 === 0 ? "free" : "starter" });
      return notices.length > 0;
    },
    { describe: "the bus to be up" },
  );
  expect(
    notices.every((event) => event.workspaceId === workspaceId && event.body.case === "workspacePlanChanged"),
  ).toBe(true);
  expect(await codeOf(system.operator.setRole({ workspaceId, personId, role: "viewer" }))).toBe("validation_failed");
  await system.operator.setRole({ workspaceId, personId: second.personId, role: "editor" });
  const isRole = ({ body }: Event) => body.case === "membershipChanged";
  const notice = await waitFor(() => notices.find(isRole), { describe: "a notice" });
  expect(notice.workspaceId).toBe(workspaceId);
  expect(notice.body.value).toMatchObject({ personId: second.personId });
  expect(notices.filter(isRole)).toHaveLength(1);
});

test("a bus that is away stops nothing", async () => {
  await using system = await startTokenSystem({ natsUrl: "nats://127.0.0.1:9" });
  const home = await system.createWorkspace();
  const options = await system.as(home.tokenValue);
  const { token, tokenValue } = await system.peer.createToken({ name: "x" }, options);
  await system.peer.revokeToken({ tokenId: token!.tokenId }, options);
  expect(await system.authenticate(tokenValue)).toBe("invalid_token");
  expect((await fetch(`${system.opsUrl}/readyz`)).status).toBe(200);
});

function idOf({ body }: Event): string | undefined {
  return body.case === "tokenRevoked" ? body.value.tokenId : undefined;
}

function sha256Of(body: Event["body"]): Uint8Array {
  return body.case === "tokenRevoked" ? body.value.tokenSha256 : new Uint8Array();
}
