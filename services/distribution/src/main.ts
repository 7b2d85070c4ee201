import { runProcess } from "@canvass/telemetry";
import { distributionSettings } from "./config.ts";
import { startDistributionService } from "./service.ts";

await runProcess("distribution", distributionSettings, startDistributionService);
