import { fieldsBody, hiddenFieldSchema } from "@canvass/questions";
import { Type } from "typebox";
import { named, withExamples } from "../schemas.ts";

export const documentedFields = withExamples(fieldsBody, {
  customer: {
    summary: "The customer of a link, and the place of the link",
    value: {
      fields: [
        { name: "customer", type: "number" },
        { name: "utm_source", type: "text", default: "direct", allowAnonymous: true },
      ],
    },
  },
});

export const fieldsSchema = named("HiddenFields", { fields: Type.Array(hiddenFieldSchema) });

export const fieldsView = ({ fieldsJson }: { fieldsJson: string }) => ({ fields: JSON.parse(fieldsJson) as unknown });
