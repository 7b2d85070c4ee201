import { runProcess } from "@canvass/telemetry";
import { responseSettings } from "./config.ts";
import { startResponseService } from "./service.ts";

await runProcess("response", responseSettings, startResponseService);
