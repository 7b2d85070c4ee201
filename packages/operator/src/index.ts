export { runCanvass } from "./run-canvass.ts";
export { fillSurvey } from "./fill/fill-survey.ts";
export type { Filled, FillOptions } from "./fill/fill-survey.ts";
export { createHttpApi } from "./http-api/http-api.ts";
