import { randomBytes } from "node:crypto";
import { testKeys } from "./keys.ts";

/** Refuses connections. */
const nowhere = "127.0.0.1:1";

const services = ["TOKEN", "SURVEY", "RESPONSE", "DISTRIBUTION", "WEBHOOK", "DELIVERY"];

export interface TestParts {
  databaseUrl?: string | undefined;
  natsUrl?: string | undefined;
}

export function testEnvironment({
  databaseUrl = `postgresql://nobody@${nowhere}/none`,
  natsUrl = `nats://${nowhere}`,
}: TestParts = {}): Record<string, string> {
  return {
    CANVASS_RPC_HOST: "127.0.0.1",
    CANVASS_RPC_PORT: "0",
    CANVASS_OPS_HOST: "127.0.0.1",
    CANVASS_OPS_PORT: "0",
    CANVASS_PEER_KEY: testKeys.peerKey,
    CANVASS_CALLER_PUBLIC_KEY: testKeys.callerPublic,
    CANVASS_CURSOR_KEY: randomBytes(32).toString("base64"),
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
    ...Object.fromEntries(services.map((service) => [`CANVASS_${service}_URL`, `http://${nowhere}`])),
  };
}
