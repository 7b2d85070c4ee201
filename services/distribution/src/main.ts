import { runProcess } from "@canvass/telemetry";
import { readDistributionConfig } from "./config.ts";
import { startDistributionService } from "./service.ts";

await runProcess("distribution", (log) => startDistributionService(readDistributionConfig(process.env), { log }));
