import { DeliveryService } from "@canvass/proto/delivery";
import { Health } from "@canvass/proto/health";
import { ResponseService } from "@canvass/proto/response";
import { IdempotencyService } from "@canvass/proto/rpc";
import { SurveyService } from "@canvass/proto/survey";
import { AuditService, TokenService } from "@canvass/proto/token";
import { FeedService, SubscriptionService } from "@canvass/proto/webhook";
import { clientTls, createRpcClient, type RpcClient } from "@canvass/rpc";
import type { DescService } from "@bufbuild/protobuf";
import type { GatewayConfig } from "./config.ts";

/** The processes behind the gateway. */
export const serviceNames = ["token", "survey", "response", "distribution", "webhook", "delivery"] as const;
export type ServiceName = (typeof serviceNames)[number];
/** Those of them that write for callers. */
export type WritingService = "token" | "survey" | "response" | "webhook";

/** Typed clients of every service. Disposing closes their connections. */
export type Services = ReturnType<typeof connectServices>;

/** TLS towards the other processes; undefined when they speak clear text. */
export function readTls(config: GatewayConfig): ReturnType<typeof clientTls> {
  // The RPC server's part of a service's settings says nothing to a process that serves no RPC.
  return clientTls({ ...config, CANVASS_RPC_HOST: "", CANVASS_RPC_PORT: 0, CANVASS_CALLER_PUBLIC_KEY: "" });
}

/** Opens lazily: a service that is away costs nothing until somebody asks it. */
export function connectServices(config: GatewayConfig, tls: ReturnType<typeof clientTls>) {
  const opened: AsyncDisposable[] = [];
  const urls = {
    token: config.CANVASS_TOKEN_URL,
    survey: config.CANVASS_SURVEY_URL,
    response: config.CANVASS_RESPONSE_URL,
    distribution: config.CANVASS_DISTRIBUTION_URL,
    webhook: config.CANVASS_WEBHOOK_URL,
    delivery: config.CANVASS_DELIVERY_URL,
  } satisfies Record<ServiceName, string>;

  function connect<Service extends DescService>(service: Service, name: ServiceName): RpcClient<Service> {
    const client = createRpcClient(service, {
      url: urls[name],
      peerKey: config.CANVASS_PEER_KEY,
      defaultTimeoutMs: config.CANVASS_REQUEST_TIMEOUT_MS,
      tls,
    });
    opened.push(client);
    return client;
  }

  return {
    tokens: connect(TokenService, "token"),
    audit: connect(AuditService, "token"),
    surveys: connect(SurveyService, "survey"),
    responses: connect(ResponseService, "response"),
    subscriptions: connect(SubscriptionService, "webhook"),
    feed: connect(FeedService, "webhook"),
    deliveries: connect(DeliveryService, "delivery"),
    idempotency: {
      token: connect(IdempotencyService, "token"),
      survey: connect(IdempotencyService, "survey"),
      response: connect(IdempotencyService, "response"),
      webhook: connect(IdempotencyService, "webhook"),
    } satisfies Record<WritingService, RpcClient<typeof IdempotencyService>>,
    health: new Map(serviceNames.map((name) => [name, connect(Health, name)])),
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((client) => client[Symbol.asyncDispose]()));
    },
  };
}
