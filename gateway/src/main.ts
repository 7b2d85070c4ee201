import { runProcess } from "@canvass/telemetry";
import { gatewaySettings } from "./config.ts";
import { startGateway } from "./service.ts";

await runProcess("gateway", gatewaySettings, startGateway);
