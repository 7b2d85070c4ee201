import { Type } from "typebox";
import { changeClasses } from "../change-class.ts";
import { changeKinds } from "./change.ts";

const anything = Type.Unsafe<unknown>({ description: "shape by kind" });

/** A change as callers see it, for API documents (contract 6.10). */
export const draftChangeSchema = Type.Object(
  {
    changeId: Type.String({ description: "equal for the same change; pass it to `acknowledge`" }),
    class: Type.Enum(changeClasses),
    kind: Type.Enum(changeKinds),
    elementId: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "null for changes of a page, a field or a quota",
    }),
    affectedResponses: Type.Integer({ description: "number of answers that the change affects" }),
    before: anything,
    after: anything,
    message: Type.String(),
  },
  { title: "DraftChange" },
);
