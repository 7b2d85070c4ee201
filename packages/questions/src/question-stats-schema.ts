import { idPattern } from "@canvass/values";
import { Type } from "typebox";
import { questionTypes } from "./catalogue.ts";
import { distributionSchemas } from "./distribution-schemas.ts";
import { oneOfTypes } from "./one-of-types.ts";

const id = Type.String({ pattern: idPattern });
const fields = {
  questionId: id,
  elementId: Type.Union([id, Type.Null()], { description: "null if the question was removed from the survey" }),
  name: Type.Optional(Type.String({ description: "of the element; absent without one" })),
  responseCount: Type.Integer({ minimum: 0 }),
  uniqueRespondents: Type.Integer({ minimum: 0 }),
};

/** The results of a question by its type, for API documents (contract 7.7). */
export const questionStatsSchema = oneOfTypes(
  "QuestionStats",
  "typeName",
  questionTypes.filter(({ answerable }) => answerable),
  ({ typeName, distributionShape }, name) =>
    Type.Object(
      { typeName: Type.Literal(typeName), ...fields, distribution: distributionSchemas[distributionShape] },
      { title: `${name}Stats` },
    ),
);
