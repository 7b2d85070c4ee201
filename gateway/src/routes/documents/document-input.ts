import { surveyDocumentSchema } from "@canvass/questions";
import { mostDocumentBytes } from "../../plugins/body/documents/accept-document-bodies.ts";
import { exampleDocument } from "../../plugins/openapi/example-document.ts";
import { withExamples } from "../schemas.ts";

export const documentedDocument = withExamples(surveyDocumentSchema, {
  lunch: { summary: "Three questions and a rule", value: exampleDocument },
});

export const documentForm = `A document is one file with the whole definition and the settings of a survey. Pages, elements and list entries have keys, by which rules and loops refer to
them (an option as \`column.option\`, the choice Other as \`other\`). Omitted values have their defaults. It is JSON or \`application/yaml\` (YAML 1.2 without aliases and
tags), at most ${mostDocumentBytes / 1_048_576} MiB.`;
