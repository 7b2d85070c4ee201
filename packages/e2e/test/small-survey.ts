export * from "../src/small-survey.ts";
