import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { programEnvironment, waitFor } from "@canvass/testing";
import { Client, credentials, Metadata, status, type ChannelCredentials, type ServiceError } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authority, signedBy, type Party } from "@canvass/rpc/testing";
import { createApiClient, type DemoSystem } from "../src/index.ts";
import { countAcknowledged, askInClearText, knockAtNats } from "./bus-doors.ts";
import { followCompletions, type Completions } from "./completions.ts";
import { publishSmallSurvey } from "./small-survey.ts";
import { whileAway } from "./while-away.ts";
import { startTestSystem } from "./test-system.ts";

const services = ["token", "survey", "response", "distribution", "webhook", "delivery"];

let directory: string;
let ours: Party;
let theirs: Party;
let member: Party;
let stranger: Party;
let demo: DemoSystem;
let completions: Completions;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-tls-"));
  [ours, theirs] = await Promise.all([authority(), authority()]);
  [member, stranger] = await Promise.all([signedBy(ours), signedBy(theirs)]);
  const file = async (name: string, pem: string) => {
    await writeFile(join(directory, name), pem);
    return join(directory, name);
  };
  demo = await startTestSystem({
    env: {
      CANVASS_TLS_KEY_FILE: await file("key.pem", member.key),
      CANVASS_TLS_CERT_FILE: await file("cert.pem", member.cert),
      CANVASS_TLS_CA_FILE: await file("ca.pem", ours.cert),
      CANVASS_LOG_LEVEL: "info",
    },
  });
  completions = await followCompletions(demo);
});
afterAll(async () => {
  await demo?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

/** Calls a process' health method, which takes no proof. Returns its status, or the error's code and text. */
async function probe(url: string, channel: ChannelCredentials): Promise<string> {
  const client = new Client(`dns:///${new URL(url).host}`, channel);
  const same = (bytes: Buffer) => bytes;
  const options = { deadline: Date.now() + 60_000 };
  return new Promise((resolve) => {
    const answer = (error: ServiceError | null, bytes?: Buffer) => {
      client.close();
      if (error) resolve(`${status[error.code]}: ${error.details}`);
      else resolve(bytes?.toString("hex") === "0801" ? "SERVING" : "not serving");
    };
    client.makeUnaryRequest(healthCheck, same, same, Buffer.alloc(0), new Metadata(), options, answer);
  });
}

const healthCheck = "/grpc.health.v1.Health/Check";
const trusting = (ca: Party, own?: Party): ChannelCredentials =>
  credentials.createSsl(Buffer.from(ca.cert), own ? Buffer.from(own.key) : null, own ? Buffer.from(own.cert) : null);

test("every process is called by https and a name", () => {
  const { processes, tlsFiles } = demo.system.local;
  const urls = new Map(processes.map(({ name, url }) => [name, url]));
  for (const name of services) {
    expect(urls.get(name)).toMatch(/^https:\/\/localhost:\d+$/);
    expect(urls.get(name)).toBe(demo.system.rpcUrl(name));
  }
  expect(tlsFiles).toEqual({
    key: join(directory, "key.pem"),
    cert: join(directory, "cert.pem"),
    ca: join(directory, "ca.pem"),
  });
});

test("the whole journey works: survey, answers, results, webhook, feed, token, audit log", async () => {
  const { api } = demo;
  const { surveyId } = completions.survey;
  await completions.complete(3);
  const results = await api.get(`/response/surveys/${surveyId}/aggregation`);
  expect(results.data.respondentStats).toMatchObject({ totalStarted: 3, totalCompleted: 3 });
  await completions.expectAllArrived();

  const { data } = await api.post("/tokens", { name: "reader", scopes: ["surveys:read"] });
  await using reader = createApiClient(demo.system.local.baseUrl, data.token);
  expect((await reader.get(`/surveys/${surveyId}`)).data).toMatchObject({ id: surveyId, publishedVersion: 1 });
  const recorded = await waitFor(
    async () => {
      const log = await api.get<{ action: string }[]>("/audit-log");
      const actions = log.data.map(({ action }) => action);
      return actions.includes("survey.published") && actions.includes("subscription.created") ? actions : undefined;
    },
    { describe: "what the other services recorded" },
  );
  expect(recorded).toContain("token.created");
});

test("an operator finds the running system and the files by local.json", async () => {
  const { workspaceId, personId } = demo.system.local;
  const issued = await canvass("token", "issue", "--workspace", workspaceId, "--person", personId, "--name", "by hand");
  expect(issued).toMatchObject({ stderr: "", token: expect.stringMatching(/^cvs_live_/) });
  const { entries } = await canvass("audit", "list", "--workspace", workspaceId, "--limit", "1");
  expect(entries).toMatchObject([{ action: "token.created", actor: "operator" }]);
});

const program = fileURLToPath(new URL("../../operator/src/bin/canvass.ts", import.meta.url));

async function canvass(...words: string[]): Promise<Record<string, unknown>> {
  const env = { ...programEnvironment(), CANVASS_DATA_DIR: demo.dataDir };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...words, "--json"], { env });
  return { ...JSON.parse(stdout), stderr };
}

describe("on the wire", () => {
  test.each(services)("%s responds only to our own processes", async (name) => {
    const url = demo.system.rpcUrl(name);
    expect(await probe(url, trusting(ours, member))).toBe("SERVING");
    expect(await probe(url, credentials.createInsecure()), "clear text").toMatch(/^UNAVAILABLE/);
    expect(await probe(url, trusting(ours)), "no certificate").toMatch(/^UNAVAILABLE/);
    expect(await probe(url, trusting(ours, stranger)), "a stranger's certificate").toMatch(/^UNAVAILABLE/);
    expect(await probe(url, trusting(theirs, member)), "another authority trusted").toMatch(
      /^UNAVAILABLE.*certificate/,
    );
    expect(await probe(url, trusting(ours, member))).toBe("SERVING");
  });
});

describe("on the bus", () => {
  test("NATS answers only our processes", async () => {
    const url = demo.system.local.natsUrl;
    expect(url).toMatch(/^tls:\/\/canvass:[^@]+@localhost:\d+$/);
    expect(await askInClearText(url), "clear text").not.toMatch(/PONG|\+OK/);
    expect(await knockAtNats(url, { ca: ours.cert }), "no certificate").toBe("refused");
    expect(await knockAtNats(url, { ca: ours.cert, ...stranger }), "a stranger's certificate").toBe("refused");
    expect(await knockAtNats(url, { ca: theirs.cert, ...member }), "another authority trusted").toBe("refused");
    expect(await knockAtNats(url, { ca: ours.cert, ...member })).toBe("connected");
  });

  test("every consumer has acknowledged events, so completions came over the bus", async () => {
    const acknowledged = () => countAcknowledged(demo.system.local.natsUrl, { ca: ours.cert, ...member });
    const names = ["feed", "deliveries", "response-counts"].map((consumer) => `${consumer}-response-completed`);
    const consumers = [...names, "audit-audit-recorded", "mails-notification-requested"];
    await waitFor(
      async () => {
        const counts = await acknowledged();
        return consumers.every((name) => (counts[name] ?? 0) > 0);
      },
      { describe: "acknowledgements of every consumer" },
    );
  });

  test.each(["gateway", "token", "survey", "response", "webhook", "delivery"])(
    "%s is connected to it, and shows when certificates end",
    async (name) => {
      const connected = async () =>
        (await readFile(join(demo.dataDir, "logs", `${name}.log`), "utf8")).includes("the event bus is connected");
      await waitFor(connected, { describe: `${name} on the bus` });
      const metrics = await (await fetch(`${demo.system.opsUrl(name)}/metrics`)).text();
      const expiry = /^canvass_certificate_expiry_timestamp_seconds{certificate="([^"]+)"/gm;
      const kinds = Array.from(metrics.matchAll(expiry), ([, kind]) => kind);
      const sends = name === "webhook" || name === "delivery";
      expect(kinds).toEqual(["own", "authority", ...(sends ? ["webhook-authority"] : []), "nats"]);
    },
  );
});

test("with NATS stopped, completions are handed over by TLS", async () => {
  await whileAway(demo.system, ["nats"], async () => {
    await completions.complete(20);
    await completions.expectAllArrived();
  });
});

test("a killed service and a killed gateway join again", async () => {
  for (const name of ["response", "gateway"]) {
    await demo.system.kill(name, "SIGKILL");
    await demo.system.waitReady();
    if (name !== "gateway") expect(await probe(demo.system.rpcUrl(name), trusting(ours, member))).toBe("SERVING");
  }
  await waitFor(() => publishSmallSurvey(demo.api, "After the kills"), { describe: "writes" });
  await completions.complete(3);
  await completions.expectAllArrived();
}, 300_000);
