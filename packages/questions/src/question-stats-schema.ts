import { idPattern } from "@canvass/values";
import { Type } from "typebox";
import { questionTypes } from "./catalogue.ts";
import { distributionSchemas } from "./distribution-schemas.ts";
import { discriminatorOf, titleOf } from "./type-titles.ts";

const id = Type.String({ pattern: idPattern });
const fields = {
  questionId: id,
  elementId: Type.Union([id, Type.Null()], { description: "null when the question left the survey" }),
  responseCount: Type.Integer({ minimum: 0 }),
  uniqueRespondents: Type.Integer({ minimum: 0 }),
};

const variants = questionTypes
  .filter(({ answerable }) => answerable)
  .map(({ typeName, distributionShape }) => ({
    typeName,
    schema: Type.Object(
      { typeName: Type.Literal(typeName), ...fields, distribution: distributionSchemas[distributionShape] },
      { title: `${titleOf(typeName)}Stats` },
    ),
  }));

/** The results of a question by its type, for API documents (contract 7.7). */
export const questionStatsSchema = Type.Unsafe<Record<string, unknown>>({
  title: "QuestionStats",
  oneOf: variants.map(({ schema }) => schema),
  discriminator: discriminatorOf("typeName", variants),
});
