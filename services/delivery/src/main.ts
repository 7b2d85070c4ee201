import { runProcess } from "@canvass/telemetry";
import { readDeliveryConfig } from "./config.ts";
import { startDeliveryService } from "./service.ts";

await runProcess("delivery", async (log) => startDeliveryService(readDeliveryConfig(process.env), { log }));
