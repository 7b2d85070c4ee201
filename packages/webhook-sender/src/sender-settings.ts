import type { Logger } from "@canvass/telemetry";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { Type, type Static, type TObject } from "typebox";
import { createAddressPolicy } from "./address-policy.ts";
import type { WebhookSenderOptions } from "./sender.ts";

/** Environment variables of processes that send or register webhooks (contract 8.4), checked at the start. */
export const webhookEnvironment = {
  CANVASS_WEBHOOK_ALLOWED_CIDRS: Type.Refine(
    Type.String({
      default: "",
      description: "address blocks webhooks may reach although they are not public, comma-separated; for tests",
      examples: ["10.1.2.0/24"],
    }),
    (text) => succeeds(() => createAddressPolicy({ allowedCidrs: listOf(text) })),
  ),
  CANVASS_WEBHOOK_PORTS: Type.Refine(
    Type.String({
      default: "443",
      pattern: String.raw`^\s*\d{1,5}(\s*,\s*\d{1,5})*\s*$`,
      description:
        "ports of public addresses webhooks may reach, comma-separated; the NetworkPolicy must allow the same",
    }),
    (text) => listOf(text).every((port) => Number(port) > 0 && Number(port) <= 65_535),
  ),
  CANVASS_WEBHOOK_CA_FILE: Type.Optional(
    Type.Refine(
      Type.String({
        description: "readable PEM certificates trusted for webhooks besides the usual ones; for tests",
        examples: ["/etc/canvass/webhook-ca.pem"],
      }),
      (file) => succeeds(() => new X509Certificate(readFileSync(file))),
    ),
  ),
} as const;

/** Logs a warning for each setting that permits more than public https servers. */
export function readSenderSettings(
  config: Static<TObject<typeof webhookEnvironment>>,
  log: Logger,
): Pick<WebhookSenderOptions, "allowedCidrs" | "ports" | "extraCa"> {
  const allowedCidrs = listOf(config.CANVASS_WEBHOOK_ALLOWED_CIDRS);
  const ports = listOf(config.CANVASS_WEBHOOK_PORTS).map(Number);
  const caFile = config.CANVASS_WEBHOOK_CA_FILE;
  if (allowedCidrs.length > 0) log.warn({ allowedCidrs }, "webhooks may reach addresses that are not public");
  if (ports.some((port) => port !== 443)) log.warn({ ports }, "webhooks may reach ports other than 443");
  if (caFile) log.warn({ caFile }, "webhooks trust certificates of a private authority");
  return { allowedCidrs, ports, extraCa: caFile ? readFileSync(caFile, "utf8") : undefined };
}

function succeeds(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
