import { runProcess } from "@canvass/telemetry";
import { readSurveyConfig } from "./config.ts";
import { startSurveyService } from "./service.ts";

await runProcess("survey", (log) => startSurveyService(readSurveyConfig(process.env), { log }));
