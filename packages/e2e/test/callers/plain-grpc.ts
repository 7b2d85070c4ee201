import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { credentials, loadPackageDefinition, Metadata, status, type Client, type ServiceError } from "@grpc/grpc-js";
import { loadSync, type MethodDefinition, type ServiceDefinition } from "@grpc/proto-loader";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoSystem, type Json, type OtherWorkspace } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";
import { completion, publishSmallSurvey, startRespondent, type SmallSurvey } from "../small-survey.ts";

// Represents a client in any language: uses the .proto files and a gRPC library, but none of our code.
const protoDir = fileURLToPath(new URL("../../../../proto", import.meta.url));
const protoFiles = readdirSync(protoDir, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".proto"),
);
const definitions = loadSync(protoFiles, {
  includeDirs: [protoDir],
  longs: Number,
  enums: String,
  defaults: true,
  oneofs: true,
});

let demo: DemoSystem;
let workspace: OtherWorkspace;
let survey: SmallSurvey;
let signedCaller: string;
let webhook: { id: string; secret: string };
const clients: Client[] = [];

/** Calls a unary method of a service process. Rejects with the ServiceError. */
function call(process: string, method: string, request: object, metadata: Record<string, string> = {}): Promise<Json> {
  const { client, name } = open(process, method);
  return new Promise((resolve, reject) => {
    const options = { deadline: Date.now() + 30_000 };
    client[name](request, toMetadata(metadata), options, (error: ServiceError | null, answer: Json) =>
      error ? reject(error) : resolve(answer),
    );
  });
}

/** Calls a method that returns a stream. */
function read(
  process: string,
  method: string,
  request: object,
  metadata: Record<string, string> = {},
): Promise<Json[]> {
  const { client, name } = open(process, method);
  return Array.fromAsync(client[name](request, toMetadata(metadata)));
}

/** Calls a method that takes a stream. */
function send(process: string, method: string, request: object, metadata: Record<string, string> = {}): Promise<Json> {
  const { client, name } = open(process, method);
  return new Promise((resolve, reject) => {
    const sending = client[name](toMetadata(metadata), (error: ServiceError | null, answer: Json) =>
      error ? reject(error) : resolve(answer),
    );
    sending.end(request);
  });
}

function open(process: string, method: string): { client: Json; name: string } {
  const [service, name] = method.split("/") as [string, string];
  const Service = clientOf(service);
  const client = new Service(new URL(demo.system.rpcUrl(process)).host, credentials.createInsecure());
  clients.push(client);
  return { client, name };
}

function toMetadata(entries: Record<string, string>): Metadata {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(entries)) metadata.set(key, value);
  return metadata;
}

function clientOf(
  service: string,
): new (address: string, channel: ReturnType<typeof credentials.createInsecure>) => Client {
  const root = loadPackageDefinition(definitions);
  return service.split(".").reduce((node: Json, part) => node[part], root);
}

const peer = () => ({ "canvass-peer": demo.system.keys.peerKey });
const caller = () => ({ "canvass-caller": signedCaller });

async function authenticate(token: string): Promise<string> {
  const credential = { tokenSha256: createHash("sha256").update(token).digest() };
  const answer = await call(
    "token",
    "canvass.token.v1.TokenService/BatchAuthenticate",
    { credentials: [credential] },
    peer(),
  );
  return answer.authentications[0].identity.signedCaller;
}

/** Tests calls of services with any gRPC library. */
export function testPlainGrpc(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ demo } = shared);
    workspace = await shared.newWorkspace();
    survey = await publishSmallSurvey(workspace.api);
    webhook = (await workspace.api.post("/event-subscriptions", { name: "Hook", url: demo.receiver.url })).data;
    signedCaller = await authenticate(workspace.token);
  });
  afterAll(() => {
    for (const client of clients) client.close();
  });

  describe("batch methods take the peer key, and give a result or an error for each item", () => {
    test("BatchAuthenticate", async () => {
      const { token, workspaceId, personId } = workspace;
      const hashed = (text: string) => ({ tokenSha256: createHash("sha256").update(text).digest() });
      const { authentications } = await call(
        "token",
        "canvass.token.v1.TokenService/BatchAuthenticate",
        { credentials: [hashed(token), hashed("nobody's"), { ...hashed(token), workspaceId: "zzzzzzzzzzzzzzzz" }] },
        peer(),
      );
      expect(authentications).toHaveLength(3);
      expect(authentications[0].identity.caller).toMatchObject({
        workspaceId,
        personId,
        live: true,
        plan: "enterprise",
      });
      expect(authentications[1].error.code).toBe("invalid_token");
      expect(authentications[2].error.code).toBe("workspace_not_accessible");
    });

    test("BatchGetSurveys", async () => {
      const { results } = await call(
        "survey",
        "canvass.survey.v1.SurveyService/BatchGetSurveys",
        {
          surveys: [
            { caller: signedCaller, surveyId: survey.surveyId },
            { caller: signedCaller, surveyId: "zzzzzzzzzzzzzzzz" },
            { caller: "forged", surveyId: survey.surveyId },
          ],
        },
        peer(),
      );
      expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["survey", "error", "error"]);
      expect(results[0].survey).toMatchObject({ surveyId: survey.surveyId, name: "Small survey", publishedVersion: 1 });
      expect(results[1].error.code).toBe("survey_not_found");
      expect(results[2].error.code).toBe("unauthorized");
    });

    test("BatchSubmitAnswers", async () => {
      const respondentId = await startRespondent(workspace.api, survey);
      const { surveyId } = survey;
      const good = { caller: signedCaller, surveyId, bodyJson: JSON.stringify(completion(survey, respondentId)) };
      const bad = { ...good, bodyJson: JSON.stringify({ respondentId, responses: [{ elementId: "nope", value: 1 }] }) };
      const { results } = await call(
        "response",
        "canvass.response.v1.ResponseService/BatchSubmitAnswers",
        { submissions: [bad, good, { ...good, caller: "forged" }] },
        peer(),
      );
      expect(results[0].error.code).toBe("validation_failed");
      expect(JSON.parse(results[0].error.detailsJson)).toEqual({ "responses.0.elementId": [expect.any(String)] });
      expect(results[1].submitted).toMatchObject({ respondentId, respondentStatus: "completed" });
      expect(results[2].error.code).toBe("unauthorized");
    });

    test("BatchMatchWebhooks, BatchGetEndpoints, BatchGetCollections, BatchGetVersions", async () => {
      const { workspaceId } = workspace;
      const webhooks = "canvass.webhook.v1.SubscriptionService";
      const event = {
        workspaceId,
        type: "response.completed",
        occurredAt: { seconds: Math.floor(Date.now() / 1000) + 1 },
      };
      const { matches } = await call("webhook", `${webhooks}/BatchMatchWebhooks`, { events: [event] }, peer());
      expect(matches).toEqual([{ subscriptionIds: [webhook.id], undecided: false }]);
      const endpoint = { workspaceId, subscriptionId: webhook.id };
      const { endpoints } = await call("webhook", `${webhooks}/BatchGetEndpoints`, { endpoints: [endpoint] }, peer());
      expect(endpoints[0]).toMatchObject({ status: "active", url: demo.receiver.url, secrets: [webhook.secret] });

      const surveys = "canvass.survey.v1.SurveyService";
      const ref = { workspaceId, surveyId: survey.surveyId };
      const { collections } = await call("survey", `${surveys}/BatchGetCollections`, { surveys: [ref] }, peer());
      expect(collections[0]).toMatchObject({ found: true, active: true, versionNumber: 1 });
      const version = { ...ref, versionId: collections[0].versionId };
      const { versions } = await call("survey", `${surveys}/BatchGetVersions`, { versions: [version] }, peer());
      expect(JSON.parse(versions[0].definitionJson).pages).toHaveLength(1);
    });
  });

  describe("methods for callers take a signed caller", () => {
    test.each([
      ["token", "canvass.token.v1.TokenService/ListTokens", {}, "tokens"],
      ["survey", "canvass.survey.v1.SurveyService/ListSurveys", { limit: 10, sort: "name" }, "surveys"],
      ["webhook", "canvass.webhook.v1.SubscriptionService/ListSubscriptions", {}, "subscriptions"],
      ["webhook", "canvass.webhook.v1.FeedService/ListEvents", { limit: 10 }, "events"],
    ])("%s: %s", async (process, method, request, field) => {
      expect((await call(process, method, request, caller()))[field]).toBeInstanceOf(Array);
    });

    test("delivery: ListDeliveries", async () => {
      const method = "canvass.delivery.v1.DeliveryService/ListDeliveries";
      const answer = await call("delivery", method, { subscriptionId: webhook.id, limit: 10 }, caller());
      expect(answer).toEqual({ deliveries: expect.any(Array), nextCursor: "", hasMore: false });
    });

    test("response: StreamAggregation", async () => {
      const method = "canvass.response.v1.ResponseService/StreamAggregation";
      const chunks = await read("response", method, { surveyId: survey.surveyId }, caller());
      expect(chunks[0].summary).toMatchObject({ totalStarted: expect.any(Number), completionTrend: expect.any(Array) });
      expect(chunks.flatMap(({ questionStats }) => questionStats)).toHaveLength(3);
    });

    test("errors carry the code of the catalogue as a detail and a status that strangers understand", async () => {
      const method = "canvass.survey.v1.SurveyService/PublishSurvey";
      const request = { surveyId: "zzzzzzzzzzzzzzzz", ifMatch: ["*"], bodyJson: "{}" };
      const error = await failure(call("survey", method, request, caller()));
      expect(error).toMatchObject({ code: status.NOT_FOUND, details: "There is no such survey." });
      const [detail] = error.metadata.get("grpc-status-details-bin");
      expect(detail!.toString("latin1" as never)).toContain("survey_not_found");
    });
  });

  describe("every process", () => {
    const processes = ["token", "survey", "response", "distribution", "webhook", "delivery"];

    test.each(processes)("%s answers grpc.health.v1 without proof", async (process) => {
      expect(await call(process, "grpc.health.v1.Health/Check", {})).toEqual({ status: "SERVING" });
    });

    test("refuses every other method without proof, and with forged proofs", async () => {
      const forged = {
        "canvass-caller": `${signedCaller.slice(0, -4)}AAAA`,
        "canvass-peer": "x".repeat(44),
        "canvass-operator": "x".repeat(44),
      };
      const proofs = [{}, forged];
      for (const [process, method, ask] of everyMethod()) {
        for (const proof of proofs) {
          const { code } = await failure(ask(process, method, {}, proof));
          expect(code, method).toBe(status.UNAUTHENTICATED);
        }
      }
    });

    test("does not take one proof for another", async () => {
      const batch = "canvass.survey.v1.SurveyService/BatchGetSurveys";
      expect((await failure(call("survey", batch, { surveys: [] }, caller()))).code).toBe(status.UNAUTHENTICATED);
      const list = "canvass.survey.v1.SurveyService/ListSurveys";
      expect((await failure(call("survey", list, { limit: 1 }, peer()))).code).toBe(status.UNAUTHENTICATED);
      const operator = "canvass.token.v1.OperatorService/CreateWorkspace";
      const proof = { ...peer(), ...caller() };
      expect((await failure(call("token", operator, { name: "Mine" }, proof))).code).toBe(status.UNAUTHENTICATED);
    });

    /** Each method of the .proto files with each process that serves it, except health checks. */
    function everyMethod(): [process: string, method: string, ask: typeof call][] {
      const shared: Record<string, string[]> = {
        "canvass.rpc.v1": ["token", "survey", "response", "webhook"],
        "canvass.events.v1": ["survey", "webhook", "delivery"],
        "canvass.transfer.v1": ["token", "survey", "response", "distribution", "webhook", "delivery"],
      };
      const services = Object.entries(definitions).filter(
        (entry): entry is [string, ServiceDefinition] => !("format" in entry[1]) && !entry[0].startsWith("grpc."),
      );
      expect(services.length).toBeGreaterThanOrEqual(9);
      return services.flatMap(([service, methods]) => {
        const [, own] = service.split(".");
        const servedBy = shared[service.split(".").slice(0, 3).join(".")] ?? [own!];
        return Object.values(methods as Record<string, MethodDefinition<object, object>>).flatMap((method) =>
          servedBy.map((process): [string, string, typeof call] => [process, method.path.slice(1), waysToAsk(method)]),
        );
      });
    }
  });
}

const waysToAsk = ({ requestStream, responseStream }: MethodDefinition<object, object>) =>
  requestStream ? send : responseStream ? read : call;

async function failure(promise: Promise<unknown>): Promise<ServiceError> {
  const outcome = await promise.then(
    (answer) => ({ answer }),
    (error: ServiceError) => error,
  );
  if ("answer" in outcome) throw new Error(`expected a refusal, got ${JSON.stringify(outcome.answer)}`);
  return outcome;
}
