import { runProcess } from "@canvass/telemetry";
import { readGatewayConfig } from "./config.ts";
import { startGateway } from "./service.ts";

await runProcess("gateway", (log) => startGateway(readGatewayConfig(process.env), { log }));
