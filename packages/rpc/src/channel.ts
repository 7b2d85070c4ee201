import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type { DescService } from "@bufbuild/protobuf";
import { Client, credentials, type ChannelCredentials, type ChannelOptions } from "@grpc/grpc-js";
import { isIP } from "node:net";
import { flowControlWindowBytes, maxMessageBytes } from "./message-limits.ts";
import type { ProcessTls } from "./tls-files.ts";

export interface ChannelAddress {
  /** `http://host:port`, or `https://name:port`. Calls go round robin to all addresses of a name. */
  url: string;
  /** PEM; `key` and `cert` if servers ask for a client certificate. Requires https. */
  tls?: ProcessTls | undefined;
}

/** Throws for https with an IP address, http with `tls`, and a key that does not match its certificate. */
export function channelOpener({ url, tls }: ChannelAddress, services: readonly DescService[]): () => Client {
  const channelCredentials = credentialsFor(url, tls);
  const options = channelOptions(services);
  return () => new Client(`dns:///${new URL(url).host}`, channelCredentials, options);
}

function credentialsFor(url: string, tls: ProcessTls | undefined): ChannelCredentials {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:") {
    // The peer key and the caller would travel in clear text.
    if (tls) throw new Error(`${url} must be https, because TLS between the processes is configured`);
    return credentials.createInsecure();
  }
  // Otherwise every call would fail as if the service were unavailable.
  if (isIP(hostname) || hostname.startsWith("[")) {
    throw new Error(`${url} has no host name, against which TLS checks a certificate`);
  }
  return credentials.createSsl(pem(tls?.ca), pem(tls?.key), pem(tls?.cert));
}

const pem = (text: string | undefined): Buffer | null => (text ? Buffer.from(text) : null);

function channelOptions(services: readonly DescService[]): ChannelOptions {
  return {
    "grpc.service_config": JSON.stringify(serviceConfig(services)),
    // A service config from DNS would be unauthenticated.
    "grpc.service_config_disable_resolution": 1,
    "grpc.enable_retries": 1,
    "grpc.enable_channelz": 0,
    // Otherwise a new channel would reuse the connections that the caller wants to leave.
    "grpc.use_local_subchannel_pool": 1,
    // An unresponsive replica leaves the rotation within 15 seconds.
    "grpc.keepalive_time_ms": 10_000,
    "grpc.keepalive_timeout_ms": 5_000,
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
    "grpc-node.flow_control_window": flowControlWindowBytes,
    // Finds a restarted process within a second; the default is two minutes.
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1_000,
    "grpc.dns_min_time_between_resolutions_ms": 1_000,
  };
}

/** gRPC service config (gRFC A2, A6): round robin, and retries for methods that declare no side effects. */
function serviceConfig(services: readonly DescService[]): object {
  const reads = services
    .flatMap(({ methods }) => methods)
    .filter(({ idempotency }) => idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS);
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
        : [{ name: reads.map(({ parent, name }) => ({ service: parent.typeName, method: name })), retryPolicy }],
  };
}
