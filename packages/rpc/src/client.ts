import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type { DescService } from "@bufbuild/protobuf";
import { createClient, type Client as ConnectClient } from "@connectrpc/connect";
import { Client, credentials, type ChannelCredentials, type ChannelOptions } from "@grpc/grpc-js";
import { isIP } from "node:net";
import { createGrpcTransport } from "./grpc-transport.ts";
import type { ProcessTls } from "./tls-files.ts";

export interface RpcClientOptions {
  /** `http://host:port`, or `https://name:port`. A name with several addresses is called round robin. */
  url: string;
  peerKey?: string | undefined;
  operatorKey?: string | undefined;
  /** Names all calls of a client that is made for one request. */
  requestId?: string | undefined;
  /** Default 10,000. */
  defaultTimeoutMs?: number;
  /** Certificates in PEM; `key` and `cert` when the servers ask for a client certificate. With them only https will do. */
  tls?: ProcessTls | undefined;
}

export type RpcClient<Service extends DescService> = ConnectClient<Service> & AsyncDisposable;

const maxMessageBytes = 64 * 1024 * 1024;

/**
 * A typed client for one service. Calls throw AppError. Connections in clear text to one address are shared between
 * clients. Throws for https with an IP address in place of a name, for http although `tls` is given, and for a key and a
 * certificate that do not match.
 */
export function createRpcClient<Service extends DescService>(
  service: Service,
  { url, tls, defaultTimeoutMs = 10_000, ...sent }: RpcClientOptions,
): RpcClient<Service> {
  const channel = new Client(`dns:///${new URL(url).host}`, channelCredentials(url, tls), channelOptions(service));
  const transport = createGrpcTransport({ channel, defaultTimeoutMs, ...sent });
  return Object.assign(createClient(service, transport), {
    [Symbol.asyncDispose]: async () => channel.close(),
  });
}

function channelCredentials(url: string, tls: RpcClientOptions["tls"]): ChannelCredentials {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:") {
    // The peer key and the caller would travel where everybody can read them.
    if (tls) throw new Error(`${url} must be https, because TLS between the processes is configured`);
    return credentials.createInsecure();
  }
  // Said at once: every call would fail as if the service were away.
  if (isIP(hostname) || hostname.startsWith("[")) {
    throw new Error(`${url} has no host name, against which TLS checks a certificate`);
  }
  return credentials.createSsl(pem(tls?.ca), pem(tls?.key), pem(tls?.cert));
}

const pem = (text: string | undefined): Buffer | null => (text ? Buffer.from(text) : null);

function channelOptions(service: DescService): ChannelOptions {
  return {
    "grpc.service_config": JSON.stringify(serviceConfig(service)),
    // The one that counts: DNS, which proves nothing, is not asked for another.
    "grpc.service_config_disable_resolution": 1,
    "grpc.enable_retries": 1,
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 5_000,
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
    // A process that was restarted is found again within a second, not after the default of two minutes.
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1_000,
    "grpc.dns_min_time_between_resolutions_ms": 1_000,
  };
}

/** gRPC service config (gRFC A2, A6): round robin, and retries for methods that declare no side effects. */
export function serviceConfig(service: DescService): object {
  const reads = service.methods.filter(
    (method) => method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS,
  );
  const retryPolicy = {
    maxAttempts: 3,
    initialBackoff: "0.05s",
    maxBackoff: "0.5s",
    backoffMultiplier: 2,
    retryableStatusCodes: ["UNAVAILABLE"],
  };
  return {
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig:
      reads.length === 0
        ? []
        : [{ name: reads.map((method) => ({ service: service.typeName, method: method.name })), retryPolicy }],
  };
}
