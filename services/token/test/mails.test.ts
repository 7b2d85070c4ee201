import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { testSmtp } from "./mail/test-smtp.ts";
import { WebhookDisabledSchema, WebhookPausedSchema, type Event } from "@canvass/proto/events";
import { createLogger } from "@canvass/telemetry";
import { createTestDatabase, waitFor } from "@canvass/testing";
import { testCertificates } from "@canvass/testing/certificates";
import { X509Certificate } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startUnresponsiveServer } from "./unresponsive-server.ts";
import { startTokenSystem, type TokenSystem } from "./token-system.ts";
import { webhookAdded } from "./webhook-added.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

/** Passes events to the service directly, as the webhook service does without NATS; returns how many were stored. */
async function handOver(system: TokenSystem, events: Event[]): Promise<number> {
  return (await system.handOver(events, "mails")).length;
}

/** Advances the clock to the due times of a workspace's second mail and those behind it. */
function settled(system: TokenSystem): Promise<unknown> {
  system.clock.advance(1_000);
  return waitFor(async () => (await system.sql("SELECT 1 FROM mails WHERE state = 'waiting'")).length === 0, {
    describe: "no mail to wait",
  });
}

test("only owners and admins get a mail, one each, however often the event comes", async () => {
  await using server = await testSmtp();
  await using system = await startTokenSystem({ environment: { CANVASS_SMTP_URL: server.url } });
  const home = await system.createWorkspace({ ownerEmail: "owner@example.com", timeZone: "Asia/Tokyo" });
  await system.createWorkspace({ ownerEmail: "stranger@example.com" });
  const { workspaceId } = home;
  await system.operator.createRole({ workspaceId, name: "Integrator", powers: ["manage_webhooks"] });
  const roles = { admin: "admin", editor: "editor", viewer: "viewer", custom: "Integrator" };
  for (const [name, role] of Object.entries(roles)) {
    await system.operator.addPerson({ workspaceId, name, email: `${name}@example.com`, role });
  }
  const event = webhookAdded(workspaceId);
  const counts = await Promise.all([
    handOver(system, [event, event]),
    handOver(system, [event]),
    handOver(system, [event]),
  ]);
  expect(counts).toEqual([1, 1, 1]);
  await settled(system);
  // A repetition does not notify later admins.
  await system.operator.addPerson({ workspaceId, name: "late", email: "late@example.com", role: "admin" });
  await handOver(system, [event]);
  await settled(system);
  expect(server.mails.flatMap(({ to }) => to).sort()).toEqual(["admin@example.com", "owner@example.com"]);
  expect(await system.sql("SELECT state, attempts FROM mails")).toEqual([
    { state: "sent", attempts: 1 },
    { state: "sent", attempts: 1 },
  ]);
  const toOwner = server.mails.find(({ to }) => to[0] === "owner@example.com")!;
  expect(toOwner.raw).toMatch(/^From: Canvass <noreply@localhost>\r$/m);
  expect(toOwner.raw).toContain('"CRM sync" (sub0000000000001)');
  expect(toOwner.raw).toContain("1 March 2026 at 20:59 (Asia/Tokyo)");
  const next = webhookAdded(workspaceId);
  await handOver(system, [next]);
  await settled(system);
  expect(server.mails).toHaveLength(5);
});

test.each([
  ["gone", "410 Gone"],
  ["blocked", "does not lead to a public internet address"],
])("the mail about a disabled webhook (%s) explains the reason and the remedy", async (reason, words) => {
  await using server = await testSmtp();
  await using system = await startTokenSystem({ environment: { CANVASS_SMTP_URL: server.url } });
  const { workspaceId } = await system.createWorkspace({ ownerEmail: "owner@example.com" });
  const event = webhookAdded(workspaceId);
  if (event.body.case !== "notificationRequested") throw new Error("no notification");
  const { value } = event.body;
  const { webhook } = value.notification.value!;
  value.notification = { case: "webhookDisabled", value: create(WebhookDisabledSchema, { webhook: webhook!, reason }) };
  expect(await handOver(system, [event])).toBe(1);
  await settled(system);
  const [row] = await system.sql("SELECT template, subject, text FROM mails");
  expect(row).toMatchObject({ template: "webhook.disabled", subject: expect.stringContaining("Webhook disabled: ") });
  for (const part of ['"CRM sync"', "hooks.example.com", words, "set the status of the subscription to active"]) {
    expect(row!["text"]).toContain(part);
  }
  expect(server.mails).toMatchObject([{ to: ["owner@example.com"] }]);
});

test("the mail about a paused webhook says how often it failed, when it last succeeded and how to go on", async () => {
  await using server = await testSmtp();
  await using system = await startTokenSystem({ environment: { CANVASS_SMTP_URL: server.url } });
  const { workspaceId } = await system.createWorkspace({ ownerEmail: "owner@example.com" });
  const event = webhookAdded(workspaceId);
  if (event.body.case !== "notificationRequested") throw new Error("no notification");
  const { value } = event.body;
  const lastSuccessAt = timestampFromDate(new Date("2026-02-26T09:30:00Z"));
  const paused = { webhook: value.notification.value!.webhook!, failedAttempts: 14, lastSuccessAt };
  value.notification = { case: "webhookPaused", value: create(WebhookPausedSchema, paused) };
  await Promise.all([handOver(system, [event]), handOver(system, [event])]);
  await settled(system);
  expect(server.mails).toHaveLength(1);
  const [row] = await system.sql("SELECT template, subject, text, html FROM mails");
  expect(row).toMatchObject({ template: "webhook.paused", subject: expect.stringContaining("Webhook paused: ") });
  for (const part of [
    "CRM sync",
    "hooks.example.com",
    "14",
    "26 February 2026",
    "status of the subscription to active",
  ]) {
    expect(row!["text"]).toContain(part);
    expect(row!["html"]).toContain(part);
  }
});

test("without a mail server every mail is a file", async () => {
  const directory = await mkdtemp(join(tmpdir(), "canvass-mail-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(directory, { recursive: true }));
  await using system = await startTokenSystem({ environment: { CANVASS_MAIL_DIR: join(directory, "mail") } });
  const { workspaceId } = await system.createWorkspace({ ownerEmail: "owner@example.com" });
  await handOver(system, [webhookAdded(workspaceId)]);
  await settled(system);
  const [name, ...others] = await readdir(join(directory, "mail"));
  expect(others).toEqual([]);
  expect(await readFile(join(directory, "mail", name!), "utf8")).toContain("owner@example.com");
});

test("a metric shows when the authority of mail servers expires", async () => {
  const directory = await mkdtemp(join(tmpdir(), "canvass-mail-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(directory, { recursive: true }));
  const { ca } = await testCertificates(["localhost"]);
  await writeFile(join(directory, "ca.pem"), ca);
  await using system = await startTokenSystem({ environment: { CANVASS_SMTP_CA_FILE: join(directory, "ca.pem") } });
  const metrics = await (await fetch(`${system.opsUrl}/metrics`)).text();
  const labels = 'certificate="mail-authority",service="token"';
  const seconds = Date.parse(new X509Certificate(ca).validTo) / 1_000;
  expect(metrics).toContain(`canvass_certificate_expiry_timestamp_seconds{${labels}} ${seconds}`);
});

test("without a server and a directory mails wait, and are sent once there is a server", async () => {
  await using database = await createTestDatabase(migrations);
  const lines: string[] = [];
  const log = createLogger({ service: "token", level: "warn", destination: { write: (line) => lines.push(line) } });
  {
    await using system = await startTokenSystem({ databaseUrl: database.url, log });
    const { workspaceId } = await system.createWorkspace({ ownerEmail: "owner@example.com" });
    expect(lines.filter((line) => line.includes("CANVASS_SMTP_URL"))).toHaveLength(1);
    await handOver(system, [webhookAdded(workspaceId)]);
    expect(await system.sql("SELECT state, attempts FROM mails")).toEqual([{ state: "waiting", attempts: 0 }]);
    const metrics = await (await fetch(`${system.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(/^canvass_mails\{.*state="waiting".*\} 1$/m);
    expect(metrics).toMatch(/^canvass_mails\{.*state="failed".*\} 0$/m);
  }
  await using server = await testSmtp();
  await using system = await startTokenSystem({
    databaseUrl: database.url,
    environment: { CANVASS_SMTP_URL: server.url },
  });
  await settled(system);
  expect(server.mails).toMatchObject([{ to: ["owner@example.com"] }]);
});

// Nor the end of the process: mails.nightly.ts.
test("a mail server that hangs holds up no calls", async () => {
  await using unresponsive = await startUnresponsiveServer();
  await using system = await startTokenSystem({ environment: { CANVASS_SMTP_URL: unresponsive.url } });
  const home = await system.createWorkspace();
  const events = Array.from({ length: 50 }, () => webhookAdded(home.workspaceId));
  expect(await handOver(system, events)).toBe(50);
  await waitFor(() => unresponsive.connections() > 0, { describe: "a connection" });
  expect(await system.authenticate(home.tokenValue)).toMatchObject({ workspaceId: home.workspaceId });
  const created = Array.from({ length: 20 }, () => system.createToken(home.tokenValue));
  expect(await Promise.all(created)).toHaveLength(20);
});

test("a mail of an unknown kind is put aside and delays no others", async () => {
  await using server = await testSmtp();
  await using system = await startTokenSystem({ environment: { CANVASS_SMTP_URL: server.url } });
  const { workspaceId } = await system.createWorkspace();
  const unknown = webhookAdded(workspaceId);
  if (unknown.body.case === "notificationRequested") unknown.body.value.notification = { case: undefined };
  expect(await handOver(system, [webhookAdded(workspaceId), unknown, webhookAdded(workspaceId)])).toBe(2);
  for (let tries = 0; tries < 4; tries += 1) await handOver(system, [unknown]);
  await settled(system);
  expect(server.mails).toHaveLength(2);
  expect(await system.sql("SELECT event_id FROM poison_events")).toEqual([{ event_id: unknown.eventId }]);
});

test("hostile names arrive as text", async () => {
  await using server = await testSmtp();
  await using system = await startTokenSystem({ environment: { CANVASS_SMTP_URL: server.url } });
  const { workspaceId } = await system.createWorkspace({ ownerEmail: "owner@example.com" });
  await handOver(system, [webhookAdded(workspaceId, "x\0\r\nBcc: evil@example.com\r\n\r\n<script>\ud800")]);
  await settled(system);
  expect(server.mails).toMatchObject([{ to: ["owner@example.com"] }]);
  expect(server.mails[0]!.raw).not.toMatch(/^Bcc:/im);
  expect(server.mails[0]!.raw).toContain("&lt;script&gt;");
});
