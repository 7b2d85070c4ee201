import { callerPrivateKey, callerPublicKey } from "@canvass/access";
import { mailEnvironment, mailRule } from "./application/mail/sending/mail-settings.ts";
import { serviceSettings } from "@canvass/service";
import { ConfigError, type ConfigOf } from "@canvass/telemetry";
import { createPublicKey, type KeyObject } from "node:crypto";
import { Type } from "typebox";

export const tokenSettings = serviceSettings(
  "token",
  {
    ...mailEnvironment,
    CANVASS_CALLER_PRIVATE_KEY: Type.String({
      minLength: 40,
      description: "Ed25519 key that signs callers: PKCS8 DER, base64",
    }),
    CANVASS_OPERATOR_KEY: Type.String({ minLength: 32, description: "proves the operator command" }),
  },
  [mailRule, { variables: ["CANVASS_CALLER_PRIVATE_KEY", "CANVASS_CALLER_PUBLIC_KEY"], validate: readPrivateKey }],
);

export type TokenConfig = ConfigOf<typeof tokenSettings>;

export const readTokenConfig = tokenSettings.read;

type KeyPair = Record<"CANVASS_CALLER_PRIVATE_KEY" | "CANVASS_CALLER_PUBLIC_KEY", string>;

/** Parses the private key. Throws ConfigError unless it is an Ed25519 key that belongs to the public key. */
export function readPrivateKey(config: KeyPair): KeyObject {
  const privateKey = parse(config.CANVASS_CALLER_PRIVATE_KEY);
  if (!isPair(privateKey, config.CANVASS_CALLER_PUBLIC_KEY)) {
    throw new ConfigError("CANVASS_CALLER_PRIVATE_KEY and CANVASS_CALLER_PUBLIC_KEY are not a pair");
  }
  return privateKey;
}

function parse(key: string): KeyObject {
  try {
    return callerPrivateKey(key);
  } catch (cause) {
    throw new ConfigError("CANVASS_CALLER_PRIVATE_KEY is no Ed25519 key in PKCS8 DER, base64", { cause });
  }
}

function isPair(privateKey: KeyObject, publicKey: string): boolean {
  try {
    return createPublicKey(privateKey).equals(callerPublicKey(publicKey));
  } catch {
    return false;
  }
}
