import type { Option } from "@canvass/command-line";

export const survey = {
  placeholder: "survey",
  positional: true,
  required: true,
  help: "the survey's id",
} as const satisfies Option;

export const file = {
  placeholder: "file",
  positional: true,
  help: "the survey's file, YAML or .json (default: survey.yaml)",
} as const satisfies Option;
