import { languageTag } from "@canvass/inputs";
import { Type } from "typebox";
import { idParam } from "../schemas.ts";

const code = Type.String({ description: "the code of the link: the end of its URL `/s/{code}`" });

export const linkParams = Type.Object({ code });
export const linkRespondentParams = Type.Object({ code, respondentId: idParam("`respondentId` of the start") });

/** Texts that have no translation come in the survey's language. */
export const languageQuery = Type.Object(
  {
    language: Type.Optional({
      ...languageTag,
      description: "language of the texts, if the survey has it (contract 6.17)",
    }),
  },
  { additionalProperties: false },
);

export const seenDescription = "when the respondent's last stored request came; null with full anonymity";

export const publicErrors = ["distributor_not_found", "service_unavailable", "deadline_exceeded"] as const;
