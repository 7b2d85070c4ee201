import { surveyDocumentSchema } from "@canvass/questions";
import { mostDocumentBytes, yamlType } from "../../plugins/body/documents/document-bodies.ts";
import { withExamples } from "../schemas.ts";

const document = {
  name: "Lunch",
  language: "en",
  settings: { display: { progressStyle: "steps" } },
  pages: [
    {
      key: "start",
      title: "Today",
      elements: [
        { key: "overall", type: "rating", text: "How was it?", required: true },
        {
          key: "again",
          type: "multiple_choice",
          text: "Would you come again?",
          choices: [
            { key: "yes", text: "Yes" },
            { key: "no", text: "No" },
          ],
        },
      ],
      skipLogic: [{ when: { element: "again", operator: "equals", value: "yes" }, goTo: "end" }],
    },
    { key: "reasons", elements: [{ key: "why", type: "long_text", text: "Why not?" }] },
  ],
};

const yaml = `name: Lunch
pages:
  - key: start
    elements:
      - key: overall
        type: rating
        text: How was it?
        required: true
`;

export const documentedDocument = withExamples(surveyDocumentSchema, {
  lunch: { summary: "Three questions and a rule", value: document },
});

export const documentTypes = { [yamlType]: { summary: "A question", value: yaml } };

export const documentForm = `A document is one file with all of a survey's definition and settings. Pages, elements and entries of lists have keys; rules and loops name
them (an option as \`column.option\`, the choice Other as \`other\`). What is left out has its default. As JSON or as \`application/yaml\` (YAML 1.2 without aliases and
tags), at most ${mostDocumentBytes / 1_048_576} MiB.`;
