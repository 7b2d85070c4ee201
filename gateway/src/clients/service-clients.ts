import { addressVariable, type ServiceName } from "@canvass/processes";
import { DeliveryService } from "@canvass/proto/delivery";
import { DistributorService } from "@canvass/proto/distribution";
import { ContactService } from "@canvass/proto/distribution-contacts";
import { LinkService } from "@canvass/proto/distribution-links";
import { ExportService } from "@canvass/proto/exports";
import { FileService } from "@canvass/proto/files";
import { ResponseService } from "@canvass/proto/response";
import { ResponseImportService } from "@canvass/proto/response-imports";
import { LinkResponseService } from "@canvass/proto/response-links";
import { SurveyService } from "@canvass/proto/survey-service";
import { AuditService, TokenService } from "@canvass/proto/token";
import { FeedService, SubscriptionService } from "@canvass/proto/webhook";
import { connectTarget, type RpcTarget } from "@canvass/rpc";
import type { ProcessTls } from "@canvass/rpc/tls-files";
import type { Registry } from "@canvass/telemetry";
import type { GatewayConfig } from "../config.ts";

export type ServiceClients = ReturnType<typeof connectClients>;

export function connectClients(config: GatewayConfig, tls: ProcessTls | undefined, metrics?: Registry) {
  const connect = (name: ServiceName): RpcTarget =>
    connectTarget({
      name,
      url: config[addressVariable(name)],
      peerKey: config.CANVASS_PEER_KEY,
      defaultTimeoutMs: config.CANVASS_REQUEST_TIMEOUT_MS,
      tls,
      metrics,
    });
  const targets = {
    token: connect("token"),
    survey: connect("survey"),
    response: connect("response"),
    distribution: connect("distribution"),
    webhook: connect("webhook"),
    delivery: connect("delivery"),
  } satisfies Record<ServiceName, RpcTarget>;

  return {
    targets,
    tokens: targets.token.client(TokenService),
    audit: targets.token.client(AuditService),
    surveys: targets.survey.client(SurveyService),
    responses: targets.response.client(ResponseService),
    exports: targets.response.client(ExportService),
    files: targets.response.client(FileService),
    responseImports: targets.response.client(ResponseImportService),
    distributors: targets.distribution.client(DistributorService),
    contacts: targets.distribution.client(ContactService),
    linkResponses: targets.response.client(LinkResponseService),
    links: targets.distribution.client(LinkService),
    subscriptions: targets.webhook.client(SubscriptionService),
    feed: targets.webhook.client(FeedService),
    deliveries: targets.delivery.client(DeliveryService),
    [Symbol.dispose]() {
      for (const target of Object.values(targets)) target[Symbol.dispose]();
    },
  };
}
