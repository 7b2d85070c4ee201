import { callerPublicKey } from "@canvass/access";
import { mailEnvironment } from "@canvass/mail";
import { consumerEnvironment, shellEnvironment } from "@canvass/service";
import { ConfigError, readConfig } from "@canvass/telemetry";
import { createPublicKey, type KeyObject } from "node:crypto";
import { Type, type Static } from "typebox";

const schema = Type.Object({
  ...shellEnvironment,
  ...mailEnvironment,
  ...consumerEnvironment("token"),
  CANVASS_CALLER_PRIVATE_KEY: Type.String({ minLength: 40, description: "Ed25519 PKCS8 DER, base64" }),
  CANVASS_OPERATOR_KEY: Type.String({ minLength: 32, description: "secret of the operator command" }),
});

export type TokenConfig = Static<typeof schema>;

export function readTokenConfig(environment: NodeJS.ProcessEnv): TokenConfig {
  return readConfig(schema, environment);
}

/** Throws when other services would refuse callers signed with the private key. */
export function requireKeyPair(privateKey: KeyObject, publicKeyBase64: string): void {
  if (!createPublicKey(privateKey).equals(callerPublicKey(publicKeyBase64))) {
    throw new ConfigError("CANVASS_CALLER_PRIVATE_KEY and CANVASS_CALLER_PUBLIC_KEY are not a pair");
  }
}
