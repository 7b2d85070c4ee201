import { surveyDocumentSchema } from "@canvass/questions";
import { mostDocumentBytes } from "../../plugins/body/documents/document-bodies.ts";
import { exampleDocument } from "../../plugins/openapi/example-document.ts";
import { withExamples } from "../schemas.ts";

export const documentedDocument = withExamples(surveyDocumentSchema, {
  lunch: { summary: "Three questions and a rule", value: exampleDocument },
});

export const documentForm = `A document is one file with all of a survey's definition and settings. Pages, elements and entries of lists have keys; rules and loops name
them (an option as \`column.option\`, the choice Other as \`other\`). What is left out has its default. As JSON or as \`application/yaml\` (YAML 1.2 without aliases and
tags), at most ${mostDocumentBytes / 1_048_576} MiB.`;
