import { runProcess } from "@canvass/telemetry";
import { surveySettings } from "./config.ts";
import { startSurveyService } from "./service.ts";

await runProcess("survey", surveySettings, startSurveyService);
