import { runProcess } from "@canvass/telemetry";
import { tokenSettings } from "./config.ts";
import { startTokenService } from "./service.ts";

await runProcess("token", tokenSettings, startTokenService);
