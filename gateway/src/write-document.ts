// Writes the OpenAPI document to `gen/openapi.json`, from which packages/sdk is generated. No service needs to run.
import { addressVariable, serviceNames } from "@canvass/processes";
import { createLogger } from "@canvass/telemetry";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readGatewayConfig } from "./config.ts";
import { startGateway } from "./service.ts";

const config = readGatewayConfig({
  CANVASS_HOST: "127.0.0.1",
  CANVASS_PORT: "0",
  CANVASS_OPS_HOST: "127.0.0.1",
  CANVASS_OPS_PORT: "0",
  CANVASS_PEER_KEY: "only-for-this-document-".repeat(2),
  ...Object.fromEntries(serviceNames.map((name) => [addressVariable(name), "http://127.0.0.1:1"])),
});
await using gateway = await startGateway(config, {
  log: createLogger({ service: "gateway", level: "silent", pretty: false }),
});
const response = await fetch(`${gateway.url}/api/v1/openapi.json`);
const folder = join(import.meta.dirname, "../gen");
await mkdir(folder, { recursive: true });
await writeFile(join(folder, "openapi.json"), await response.text());
